target triple = "x86_64-unknown-linux-gnu"
define void @min(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v62 = alloca [32 x float], align 64
  %v63 = alloca [32 x float], align 64
  %v64 = alloca [32 x float], align 64
  %v65 = alloca [32 x float], align 64
  %v429 = alloca [32 x float], align 64
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load ptr, ptr %v4, align 8
  %v6 = getelementptr inbounds i64, ptr %slots, i64 3
  %v7 = load i64, ptr %v6, align 8
  %v8 = getelementptr inbounds i64, ptr %slots, i64 4
  %v9 = load i64, ptr %v8, align 8
  %v10 = getelementptr inbounds i64, ptr %slots, i64 5
  %v11 = load i64, ptr %v10, align 8
  %v12 = icmp slt i64 %begin, %end
  br i1 %v12, label %groups1, label %finished3
groups1:
  %v66 = getelementptr inbounds float, ptr %v62, i64 8
  %v67 = getelementptr inbounds float, ptr %v63, i64 8
  %v68 = getelementptr inbounds float, ptr %v64, i64 8
  %v69 = getelementptr inbounds float, ptr %v65, i64 8
  %v70 = getelementptr inbounds float, ptr %v62, i64 16
  %v71 = getelementptr inbounds float, ptr %v63, i64 16
  %v72 = getelementptr inbounds float, ptr %v64, i64 16
  %v73 = getelementptr inbounds float, ptr %v65, i64 16
  %v74 = getelementptr inbounds float, ptr %v62, i64 24
  %v75 = getelementptr inbounds float, ptr %v63, i64 24
  %v76 = getelementptr inbounds float, ptr %v64, i64 24
  %v77 = getelementptr inbounds float, ptr %v65, i64 24
  %v78 = sub i64 %v11, 7
  %v79 = icmp slt i64 0, %v78
  %v399 = fcmp uno float 0x7FF0000000000000, 0x7FF0000000000000
  %v430 = getelementptr inbounds float, ptr %v429, i64 8
  %v431 = getelementptr inbounds float, ptr %v429, i64 16
  %v432 = getelementptr inbounds float, ptr %v429, i64 24
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v549, %next4]
  %v14 = mul i64 %v7, %v13
  %v15 = add i64 %v14, %v7
  %v16 = call i64 @llvm.smin.i64(i64 %v15, i64 %v9)
  %v17 = sub i64 %v16, %v14
  %v18 = udiv i64 %v17, 4
  %v19 = mul i64 4, %v18
  %v20 = add i64 %v14, %v19
  %v21 = icmp slt i64 %v14, %v20
  br i1 %v21, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v22 = phi i64 [%v14, %enter5], [%v415, %after13]
  %v23 = add i64 %v22, 1
  %v24 = add i64 %v22, 2
  %v25 = add i64 %v22, 3
  %v26 = mul i64 3, %v22
  %v27 = add i64 2, %v26
  %v28 = getelementptr inbounds float, ptr %v3, i64 %v27
  %v29 = load float, ptr %v28, align 4
  %v30 = add i64 1, %v26
  %v31 = getelementptr inbounds float, ptr %v3, i64 %v30
  %v32 = load float, ptr %v31, align 4
  %v33 = getelementptr inbounds float, ptr %v3, i64 %v26
  %v34 = load float, ptr %v33, align 4
  %v35 = mul i64 3, %v23
  %v36 = add i64 2, %v35
  %v37 = getelementptr inbounds float, ptr %v3, i64 %v36
  %v38 = load float, ptr %v37, align 4
  %v39 = add i64 1, %v35
  %v40 = getelementptr inbounds float, ptr %v3, i64 %v39
  %v41 = load float, ptr %v40, align 4
  %v42 = getelementptr inbounds float, ptr %v3, i64 %v35
  %v43 = load float, ptr %v42, align 4
  %v44 = mul i64 3, %v24
  %v45 = add i64 2, %v44
  %v46 = getelementptr inbounds float, ptr %v3, i64 %v45
  %v47 = load float, ptr %v46, align 4
  %v48 = add i64 1, %v44
  %v49 = getelementptr inbounds float, ptr %v3, i64 %v48
  %v50 = load float, ptr %v49, align 4
  %v51 = getelementptr inbounds float, ptr %v3, i64 %v44
  %v52 = load float, ptr %v51, align 4
  %v53 = mul i64 3, %v25
  %v54 = add i64 2, %v53
  %v55 = getelementptr inbounds float, ptr %v3, i64 %v54
  %v56 = load float, ptr %v55, align 4
  %v57 = add i64 1, %v53
  %v58 = getelementptr inbounds float, ptr %v3, i64 %v57
  %v59 = load float, ptr %v58, align 4
  %v60 = getelementptr inbounds float, ptr %v3, i64 %v53
  %v61 = load float, ptr %v60, align 4
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v62, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v63, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v64, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v65, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v66, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v67, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v68, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v69, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v70, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v71, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v72, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v73, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v74, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v75, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v76, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v77, align 32
  br i1 %v79, label %enter8, label %after10
enter8:
  %v92 = insertelement <8 x float> poison, float %v29, i64 0
  %v93 = shufflevector <8 x float> %v92, <8 x float> poison, <8 x i32> zeroinitializer
  %v99 = insertelement <8 x float> poison, float %v32, i64 0
  %v100 = shufflevector <8 x float> %v99, <8 x float> poison, <8 x i32> zeroinitializer
  %v105 = insertelement <8 x float> poison, float %v34, i64 0
  %v106 = shufflevector <8 x float> %v105, <8 x float> poison, <8 x i32> zeroinitializer
  %v112 = insertelement <8 x float> poison, float %v38, i64 0
  %v113 = shufflevector <8 x float> %v112, <8 x float> poison, <8 x i32> zeroinitializer
  %v116 = insertelement <8 x float> poison, float %v41, i64 0
  %v117 = shufflevector <8 x float> %v116, <8 x float> poison, <8 x i32> zeroinitializer
  %v120 = insertelement <8 x float> poison, float %v43, i64 0
  %v121 = shufflevector <8 x float> %v120, <8 x float> poison, <8 x i32> zeroinitializer
  %v127 = insertelement <8 x float> poison, float %v47, i64 0
  %v128 = shufflevector <8 x float> %v127, <8 x float> poison, <8 x i32> zeroinitializer
  %v131 = insertelement <8 x float> poison, float %v50, i64 0
  %v132 = shufflevector <8 x float> %v131, <8 x float> poison, <8 x i32> zeroinitializer
  %v135 = insertelement <8 x float> poison, float %v52, i64 0
  %v136 = shufflevector <8 x float> %v135, <8 x float> poison, <8 x i32> zeroinitializer
  %v142 = insertelement <8 x float> poison, float %v56, i64 0
  %v143 = shufflevector <8 x float> %v142, <8 x float> poison, <8 x i32> zeroinitializer
  %v146 = insertelement <8 x float> poison, float %v59, i64 0
  %v147 = shufflevector <8 x float> %v146, <8 x float> poison, <8 x i32> zeroinitializer
  %v150 = insertelement <8 x float> poison, float %v61, i64 0
  %v151 = shufflevector <8 x float> %v150, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop9
loop9:
  %v80 = phi i64 [0, %enter8], [%v182, %loop9]
  %v81 = and i64 %v80, 31
  %v82 = mul i64 %v80, 3
  %v83 = add i64 2, %v82
  %v84 = getelementptr inbounds float, ptr %v1, i64 %v82
  %v85 = load <8 x float>, ptr %v84, align 4
  %v86 = getelementptr float, ptr %v84, i64 8
  %v87 = load <8 x float>, ptr %v86, align 4
  %v88 = getelementptr float, ptr %v84, i64 16
  %v89 = load <8 x float>, ptr %v88, align 4
  %v90 = shufflevector <8 x float> %v85, <8 x float> %v87, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v91 = shufflevector <8 x float> %v90, <8 x float> %v89, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v94 = fsub <8 x float> %v93, %v91
  %v95 = fmul <8 x float> %v94, %v94
  %v96 = add i64 1, %v82
  %v97 = shufflevector <8 x float> %v85, <8 x float> %v87, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v98 = shufflevector <8 x float> %v97, <8 x float> %v89, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v101 = fsub <8 x float> %v100, %v98
  %v102 = fmul <8 x float> %v101, %v101
  %v103 = shufflevector <8 x float> %v85, <8 x float> %v87, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v104 = shufflevector <8 x float> %v103, <8 x float> %v89, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v107 = fsub <8 x float> %v106, %v104
  %v108 = fmul <8 x float> %v107, %v107
  %v109 = fadd <8 x float> %v108, %v95
  %v110 = fadd <8 x float> %v109, %v102
  %v111 = fadd <8 x float> splat (float 0x0000000000000000), %v110
  %v114 = fsub <8 x float> %v113, %v91
  %v115 = fmul <8 x float> %v114, %v114
  %v118 = fsub <8 x float> %v117, %v98
  %v119 = fmul <8 x float> %v118, %v118
  %v122 = fsub <8 x float> %v121, %v104
  %v123 = fmul <8 x float> %v122, %v122
  %v124 = fadd <8 x float> %v123, %v115
  %v125 = fadd <8 x float> %v124, %v119
  %v126 = fadd <8 x float> splat (float 0x0000000000000000), %v125
  %v129 = fsub <8 x float> %v128, %v91
  %v130 = fmul <8 x float> %v129, %v129
  %v133 = fsub <8 x float> %v132, %v98
  %v134 = fmul <8 x float> %v133, %v133
  %v137 = fsub <8 x float> %v136, %v104
  %v138 = fmul <8 x float> %v137, %v137
  %v139 = fadd <8 x float> %v138, %v130
  %v140 = fadd <8 x float> %v139, %v134
  %v141 = fadd <8 x float> splat (float 0x0000000000000000), %v140
  %v144 = fsub <8 x float> %v143, %v91
  %v145 = fmul <8 x float> %v144, %v144
  %v148 = fsub <8 x float> %v147, %v98
  %v149 = fmul <8 x float> %v148, %v148
  %v152 = fsub <8 x float> %v151, %v104
  %v153 = fmul <8 x float> %v152, %v152
  %v154 = fadd <8 x float> %v153, %v145
  %v155 = fadd <8 x float> %v154, %v149
  %v156 = fadd <8 x float> splat (float 0x0000000000000000), %v155
  %v157 = getelementptr inbounds float, ptr %v62, i64 %v81
  %v158 = load <8 x float>, ptr %v157, align 32
  %v159 = getelementptr inbounds float, ptr %v63, i64 %v81
  %v160 = load <8 x float>, ptr %v159, align 32
  %v161 = getelementptr inbounds float, ptr %v64, i64 %v81
  %v162 = load <8 x float>, ptr %v161, align 32
  %v163 = getelementptr inbounds float, ptr %v65, i64 %v81
  %v164 = load <8 x float>, ptr %v163, align 32
  %v165 = fcmp olt <8 x float> %v158, %v111
  %v166 = select <8 x i1> %v165, <8 x float> %v158, <8 x float> %v111
  %v167 = fcmp uno <8 x float> %v158, %v158
  %v168 = select <8 x i1> %v167, <8 x float> %v158, <8 x float> %v166
  %v169 = fcmp olt <8 x float> %v160, %v126
  %v170 = select <8 x i1> %v169, <8 x float> %v160, <8 x float> %v126
  %v171 = fcmp uno <8 x float> %v160, %v160
  %v172 = select <8 x i1> %v171, <8 x float> %v160, <8 x float> %v170
  %v173 = fcmp olt <8 x float> %v162, %v141
  %v174 = select <8 x i1> %v173, <8 x float> %v162, <8 x float> %v141
  %v175 = fcmp uno <8 x float> %v162, %v162
  %v176 = select <8 x i1> %v175, <8 x float> %v162, <8 x float> %v174
  %v177 = fcmp olt <8 x float> %v164, %v156
  %v178 = select <8 x i1> %v177, <8 x float> %v164, <8 x float> %v156
  %v179 = fcmp uno <8 x float> %v164, %v164
  %v180 = select <8 x i1> %v179, <8 x float> %v164, <8 x float> %v178
  store <8 x float> %v168, ptr %v157, align 32
  store <8 x float> %v172, ptr %v159, align 32
  store <8 x float> %v176, ptr %v161, align 32
  store <8 x float> %v180, ptr %v163, align 32
  %v181 = add i64 %v80, 8
  %v182 = call i64 @llvm.fshl.i64(i64 %v181, i64 %v181, i64 0)
  %v183 = icmp slt i64 %v182, %v78
  br i1 %v183, label %loop9, label %after10
after10:
  %v184 = phi i64 [0, %loop6], [%v182, %loop9]
  %v185 = icmp slt i64 %v184, %v11
  br i1 %v185, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v186 = phi i64 [%v184, %enter11], [%v258, %loop12]
  %v187 = and i64 %v186, 31
  %v188 = mul i64 3, %v186
  %v189 = add i64 2, %v188
  %v190 = getelementptr inbounds float, ptr %v1, i64 %v189
  %v191 = load float, ptr %v190, align 4
  %v192 = fsub float %v29, %v191
  %v193 = fmul float %v192, %v192
  %v194 = add i64 1, %v188
  %v195 = getelementptr inbounds float, ptr %v1, i64 %v194
  %v196 = load float, ptr %v195, align 4
  %v197 = fsub float %v32, %v196
  %v198 = fmul float %v197, %v197
  %v199 = getelementptr inbounds float, ptr %v1, i64 %v188
  %v200 = load float, ptr %v199, align 4
  %v201 = fsub float %v34, %v200
  %v202 = fmul float %v201, %v201
  %v203 = fadd float %v202, %v193
  %v204 = fadd float %v203, %v198
  %v205 = fadd float 0x0000000000000000, %v204
  %v206 = fsub float %v38, %v191
  %v207 = fmul float %v206, %v206
  %v208 = fsub float %v41, %v196
  %v209 = fmul float %v208, %v208
  %v210 = fsub float %v43, %v200
  %v211 = fmul float %v210, %v210
  %v212 = fadd float %v211, %v207
  %v213 = fadd float %v212, %v209
  %v214 = fadd float 0x0000000000000000, %v213
  %v215 = fsub float %v47, %v191
  %v216 = fmul float %v215, %v215
  %v217 = fsub float %v50, %v196
  %v218 = fmul float %v217, %v217
  %v219 = fsub float %v52, %v200
  %v220 = fmul float %v219, %v219
  %v221 = fadd float %v220, %v216
  %v222 = fadd float %v221, %v218
  %v223 = fadd float 0x0000000000000000, %v222
  %v224 = fsub float %v56, %v191
  %v225 = fmul float %v224, %v224
  %v226 = fsub float %v59, %v196
  %v227 = fmul float %v226, %v226
  %v228 = fsub float %v61, %v200
  %v229 = fmul float %v228, %v228
  %v230 = fadd float %v229, %v225
  %v231 = fadd float %v230, %v227
  %v232 = fadd float 0x0000000000000000, %v231
  %v233 = getelementptr inbounds float, ptr %v62, i64 %v187
  %v234 = load float, ptr %v233, align 4
  %v235 = getelementptr inbounds float, ptr %v63, i64 %v187
  %v236 = load float, ptr %v235, align 4
  %v237 = getelementptr inbounds float, ptr %v64, i64 %v187
  %v238 = load float, ptr %v237, align 4
  %v239 = getelementptr inbounds float, ptr %v65, i64 %v187
  %v240 = load float, ptr %v239, align 4
  %v241 = fcmp olt float %v234, %v205
  %v242 = select i1 %v241, float %v234, float %v205
  %v243 = fcmp uno float %v234, %v234
  %v244 = select i1 %v243, float %v234, float %v242
  %v245 = fcmp olt float %v236, %v214
  %v246 = select i1 %v245, float %v236, float %v214
  %v247 = fcmp uno float %v236, %v236
  %v248 = select i1 %v247, float %v236, float %v246
  %v249 = fcmp olt float %v238, %v223
  %v250 = select i1 %v249, float %v238, float %v223
  %v251 = fcmp uno float %v238, %v238
  %v252 = select i1 %v251, float %v238, float %v250
  %v253 = fcmp olt float %v240, %v232
  %v254 = select i1 %v253, float %v240, float %v232
  %v255 = fcmp uno float %v240, %v240
  %v256 = select i1 %v255, float %v240, float %v254
  store float %v244, ptr %v233, align 4
  store float %v248, ptr %v235, align 4
  store float %v252, ptr %v237, align 4
  store float %v256, ptr %v239, align 4
  %v257 = add i64 %v186, 1
  %v258 = call i64 @llvm.fshl.i64(i64 %v257, i64 %v257, i64 0)
  %v259 = icmp slt i64 %v258, %v11
  br i1 %v259, label %loop12, label %after13
after13:
  %v260 = phi i64 [%v184, %after10], [%v258, %loop12]
  %v261 = load <8 x float>, ptr %v62, align 32
  %v262 = load <8 x float>, ptr %v63, align 32
  %v263 = load <8 x float>, ptr %v64, align 32
  %v264 = load <8 x float>, ptr %v65, align 32
  %v265 = load <8 x float>, ptr %v66, align 32
  %v266 = load <8 x float>, ptr %v67, align 32
  %v267 = load <8 x float>, ptr %v68, align 32
  %v268 = load <8 x float>, ptr %v69, align 32
  %v269 = load <8 x float>, ptr %v70, align 32
  %v270 = load <8 x float>, ptr %v71, align 32
  %v271 = load <8 x float>, ptr %v72, align 32
  %v272 = load <8 x float>, ptr %v73, align 32
  %v273 = load <8 x float>, ptr %v74, align 32
  %v274 = load <8 x float>, ptr %v75, align 32
  %v275 = load <8 x float>, ptr %v76, align 32
  %v276 = load <8 x float>, ptr %v77, align 32
  %v277 = fcmp olt <8 x float> %v261, %v269
  %v278 = select <8 x i1> %v277, <8 x float> %v261, <8 x float> %v269
  %v279 = fcmp uno <8 x float> %v261, %v261
  %v280 = select <8 x i1> %v279, <8 x float> %v261, <8 x float> %v278
  %v281 = fcmp olt <8 x float> %v262, %v270
  %v282 = select <8 x i1> %v281, <8 x float> %v262, <8 x float> %v270
  %v283 = fcmp uno <8 x float> %v262, %v262
  %v284 = select <8 x i1> %v283, <8 x float> %v262, <8 x float> %v282
  %v285 = fcmp olt <8 x float> %v263, %v271
  %v286 = select <8 x i1> %v285, <8 x float> %v263, <8 x float> %v271
  %v287 = fcmp uno <8 x float> %v263, %v263
  %v288 = select <8 x i1> %v287, <8 x float> %v263, <8 x float> %v286
  %v289 = fcmp olt <8 x float> %v264, %v272
  %v290 = select <8 x i1> %v289, <8 x float> %v264, <8 x float> %v272
  %v291 = fcmp uno <8 x float> %v264, %v264
  %v292 = select <8 x i1> %v291, <8 x float> %v264, <8 x float> %v290
  %v293 = fcmp olt <8 x float> %v265, %v273
  %v294 = select <8 x i1> %v293, <8 x float> %v265, <8 x float> %v273
  %v295 = fcmp uno <8 x float> %v265, %v265
  %v296 = select <8 x i1> %v295, <8 x float> %v265, <8 x float> %v294
  %v297 = fcmp olt <8 x float> %v266, %v274
  %v298 = select <8 x i1> %v297, <8 x float> %v266, <8 x float> %v274
  %v299 = fcmp uno <8 x float> %v266, %v266
  %v300 = select <8 x i1> %v299, <8 x float> %v266, <8 x float> %v298
  %v301 = fcmp olt <8 x float> %v267, %v275
  %v302 = select <8 x i1> %v301, <8 x float> %v267, <8 x float> %v275
  %v303 = fcmp uno <8 x float> %v267, %v267
  %v304 = select <8 x i1> %v303, <8 x float> %v267, <8 x float> %v302
  %v305 = fcmp olt <8 x float> %v268, %v276
  %v306 = select <8 x i1> %v305, <8 x float> %v268, <8 x float> %v276
  %v307 = fcmp uno <8 x float> %v268, %v268
  %v308 = select <8 x i1> %v307, <8 x float> %v268, <8 x float> %v306
  %v309 = fcmp olt <8 x float> %v280, %v296
  %v310 = select <8 x i1> %v309, <8 x float> %v280, <8 x float> %v296
  %v311 = fcmp uno <8 x float> %v280, %v280
  %v312 = select <8 x i1> %v311, <8 x float> %v280, <8 x float> %v310
  %v313 = fcmp olt <8 x float> %v284, %v300
  %v314 = select <8 x i1> %v313, <8 x float> %v284, <8 x float> %v300
  %v315 = fcmp uno <8 x float> %v284, %v284
  %v316 = select <8 x i1> %v315, <8 x float> %v284, <8 x float> %v314
  %v317 = fcmp olt <8 x float> %v288, %v304
  %v318 = select <8 x i1> %v317, <8 x float> %v288, <8 x float> %v304
  %v319 = fcmp uno <8 x float> %v288, %v288
  %v320 = select <8 x i1> %v319, <8 x float> %v288, <8 x float> %v318
  %v321 = fcmp olt <8 x float> %v292, %v308
  %v322 = select <8 x i1> %v321, <8 x float> %v292, <8 x float> %v308
  %v323 = fcmp uno <8 x float> %v292, %v292
  %v324 = select <8 x i1> %v323, <8 x float> %v292, <8 x float> %v322
  %v325 = shufflevector <8 x float> %v312, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v326 = shufflevector <8 x float> %v316, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v327 = shufflevector <8 x float> %v320, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v328 = shufflevector <8 x float> %v324, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v329 = shufflevector <8 x float> %v312, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v330 = shufflevector <8 x float> %v316, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v331 = shufflevector <8 x float> %v320, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v332 = shufflevector <8 x float> %v324, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v333 = fcmp olt <4 x float> %v325, %v329
  %v334 = select <4 x i1> %v333, <4 x float> %v325, <4 x float> %v329
  %v335 = fcmp uno <4 x float> %v325, %v325
  %v336 = select <4 x i1> %v335, <4 x float> %v325, <4 x float> %v334
  %v337 = fcmp olt <4 x float> %v326, %v330
  %v338 = select <4 x i1> %v337, <4 x float> %v326, <4 x float> %v330
  %v339 = fcmp uno <4 x float> %v326, %v326
  %v340 = select <4 x i1> %v339, <4 x float> %v326, <4 x float> %v338
  %v341 = fcmp olt <4 x float> %v327, %v331
  %v342 = select <4 x i1> %v341, <4 x float> %v327, <4 x float> %v331
  %v343 = fcmp uno <4 x float> %v327, %v327
  %v344 = select <4 x i1> %v343, <4 x float> %v327, <4 x float> %v342
  %v345 = fcmp olt <4 x float> %v328, %v332
  %v346 = select <4 x i1> %v345, <4 x float> %v328, <4 x float> %v332
  %v347 = fcmp uno <4 x float> %v328, %v328
  %v348 = select <4 x i1> %v347, <4 x float> %v328, <4 x float> %v346
  %v349 = shufflevector <4 x float> %v336, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v350 = shufflevector <4 x float> %v340, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v351 = shufflevector <4 x float> %v344, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v352 = shufflevector <4 x float> %v348, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v353 = shufflevector <4 x float> %v336, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v354 = shufflevector <4 x float> %v340, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v355 = shufflevector <4 x float> %v344, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v356 = shufflevector <4 x float> %v348, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v357 = fcmp olt <2 x float> %v349, %v353
  %v358 = select <2 x i1> %v357, <2 x float> %v349, <2 x float> %v353
  %v359 = fcmp uno <2 x float> %v349, %v349
  %v360 = select <2 x i1> %v359, <2 x float> %v349, <2 x float> %v358
  %v361 = fcmp olt <2 x float> %v350, %v354
  %v362 = select <2 x i1> %v361, <2 x float> %v350, <2 x float> %v354
  %v363 = fcmp uno <2 x float> %v350, %v350
  %v364 = select <2 x i1> %v363, <2 x float> %v350, <2 x float> %v362
  %v365 = fcmp olt <2 x float> %v351, %v355
  %v366 = select <2 x i1> %v365, <2 x float> %v351, <2 x float> %v355
  %v367 = fcmp uno <2 x float> %v351, %v351
  %v368 = select <2 x i1> %v367, <2 x float> %v351, <2 x float> %v366
  %v369 = fcmp olt <2 x float> %v352, %v356
  %v370 = select <2 x i1> %v369, <2 x float> %v352, <2 x float> %v356
  %v371 = fcmp uno <2 x float> %v352, %v352
  %v372 = select <2 x i1> %v371, <2 x float> %v352, <2 x float> %v370
  %v373 = extractelement <2 x float> %v360, i64 0
  %v374 = extractelement <2 x float> %v364, i64 0
  %v375 = extractelement <2 x float> %v368, i64 0
  %v376 = extractelement <2 x float> %v372, i64 0
  %v377 = extractelement <2 x float> %v360, i64 1
  %v378 = extractelement <2 x float> %v364, i64 1
  %v379 = extractelement <2 x float> %v368, i64 1
  %v380 = extractelement <2 x float> %v372, i64 1
  %v381 = fcmp olt float %v373, %v377
  %v382 = select i1 %v381, float %v373, float %v377
  %v383 = fcmp uno float %v373, %v373
  %v384 = select i1 %v383, float %v373, float %v382
  %v385 = fcmp olt float %v374, %v378
  %v386 = select i1 %v385, float %v374, float %v378
  %v387 = fcmp uno float %v374, %v374
  %v388 = select i1 %v387, float %v374, float %v386
  %v389 = fcmp olt float %v375, %v379
  %v390 = select i1 %v389, float %v375, float %v379
  %v391 = fcmp uno float %v375, %v375
  %v392 = select i1 %v391, float %v375, float %v390
  %v393 = fcmp olt float %v376, %v380
  %v394 = select i1 %v393, float %v376, float %v380
  %v395 = fcmp uno float %v376, %v376
  %v396 = select i1 %v395, float %v376, float %v394
  %v397 = fcmp olt float 0x7FF0000000000000, %v384
  %v398 = select i1 %v397, float 0x7FF0000000000000, float %v384
  %v400 = select i1 %v399, float 0x7FF0000000000000, float %v398
  %v401 = fcmp olt float 0x7FF0000000000000, %v388
  %v402 = select i1 %v401, float 0x7FF0000000000000, float %v388
  %v403 = select i1 %v399, float 0x7FF0000000000000, float %v402
  %v404 = fcmp olt float 0x7FF0000000000000, %v392
  %v405 = select i1 %v404, float 0x7FF0000000000000, float %v392
  %v406 = select i1 %v399, float 0x7FF0000000000000, float %v405
  %v407 = fcmp olt float 0x7FF0000000000000, %v396
  %v408 = select i1 %v407, float 0x7FF0000000000000, float %v396
  %v409 = select i1 %v399, float 0x7FF0000000000000, float %v408
  %v410 = getelementptr inbounds float, ptr %v5, i64 %v22
  store float %v400, ptr %v410, align 4
  %v411 = getelementptr inbounds float, ptr %v5, i64 %v23
  store float %v403, ptr %v411, align 4
  %v412 = getelementptr inbounds float, ptr %v5, i64 %v24
  store float %v406, ptr %v412, align 4
  %v413 = getelementptr inbounds float, ptr %v5, i64 %v25
  store float %v409, ptr %v413, align 4
  %v414 = add i64 %v22, 4
  %v415 = call i64 @llvm.fshl.i64(i64 %v414, i64 %v414, i64 0)
  %v416 = icmp slt i64 %v415, %v20
  br i1 %v416, label %loop6, label %after7
after7:
  %v417 = phi i64 [%v14, %group2], [%v415, %after13]
  %v418 = icmp slt i64 %v20, %v16
  br i1 %v418, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v419 = phi i64 [%v20, %enter14], [%v545, %after22]
  %v420 = mul i64 3, %v419
  %v421 = add i64 2, %v420
  %v422 = getelementptr inbounds float, ptr %v3, i64 %v421
  %v423 = load float, ptr %v422, align 4
  %v424 = add i64 1, %v420
  %v425 = getelementptr inbounds float, ptr %v3, i64 %v424
  %v426 = load float, ptr %v425, align 4
  %v427 = getelementptr inbounds float, ptr %v3, i64 %v420
  %v428 = load float, ptr %v427, align 4
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v429, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v430, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v431, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v432, align 32
  br i1 %v79, label %enter17, label %after19
enter17:
  %v445 = insertelement <8 x float> poison, float %v423, i64 0
  %v446 = shufflevector <8 x float> %v445, <8 x float> poison, <8 x i32> zeroinitializer
  %v452 = insertelement <8 x float> poison, float %v426, i64 0
  %v453 = shufflevector <8 x float> %v452, <8 x float> poison, <8 x i32> zeroinitializer
  %v458 = insertelement <8 x float> poison, float %v428, i64 0
  %v459 = shufflevector <8 x float> %v458, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop18
loop18:
  %v433 = phi i64 [0, %enter17], [%v472, %loop18]
  %v434 = and i64 %v433, 31
  %v435 = mul i64 %v433, 3
  %v436 = add i64 2, %v435
  %v437 = getelementptr inbounds float, ptr %v1, i64 %v435
  %v438 = load <8 x float>, ptr %v437, align 4
  %v439 = getelementptr float, ptr %v437, i64 8
  %v440 = load <8 x float>, ptr %v439, align 4
  %v441 = getelementptr float, ptr %v437, i64 16
  %v442 = load <8 x float>, ptr %v441, align 4
  %v443 = shufflevector <8 x float> %v438, <8 x float> %v440, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v444 = shufflevector <8 x float> %v443, <8 x float> %v442, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v447 = fsub <8 x float> %v446, %v444
  %v448 = fmul <8 x float> %v447, %v447
  %v449 = add i64 1, %v435
  %v450 = shufflevector <8 x float> %v438, <8 x float> %v440, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v451 = shufflevector <8 x float> %v450, <8 x float> %v442, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v454 = fsub <8 x float> %v453, %v451
  %v455 = fmul <8 x float> %v454, %v454
  %v456 = shufflevector <8 x float> %v438, <8 x float> %v440, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v457 = shufflevector <8 x float> %v456, <8 x float> %v442, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v460 = fsub <8 x float> %v459, %v457
  %v461 = fmul <8 x float> %v460, %v460
  %v462 = fadd <8 x float> %v461, %v448
  %v463 = fadd <8 x float> %v462, %v455
  %v464 = fadd <8 x float> splat (float 0x0000000000000000), %v463
  %v465 = getelementptr inbounds float, ptr %v429, i64 %v434
  %v466 = load <8 x float>, ptr %v465, align 32
  %v467 = fcmp olt <8 x float> %v466, %v464
  %v468 = select <8 x i1> %v467, <8 x float> %v466, <8 x float> %v464
  %v469 = fcmp uno <8 x float> %v466, %v466
  %v470 = select <8 x i1> %v469, <8 x float> %v466, <8 x float> %v468
  store <8 x float> %v470, ptr %v465, align 32
  %v471 = add i64 %v433, 8
  %v472 = call i64 @llvm.fshl.i64(i64 %v471, i64 %v471, i64 0)
  %v473 = icmp slt i64 %v472, %v78
  br i1 %v473, label %loop18, label %after19
after19:
  %v474 = phi i64 [0, %loop15], [%v472, %loop18]
  %v475 = icmp slt i64 %v474, %v11
  br i1 %v475, label %enter20, label %after22
enter20:
  br label %loop21
loop21:
  %v476 = phi i64 [%v474, %enter20], [%v503, %loop21]
  %v477 = and i64 %v476, 31
  %v478 = mul i64 3, %v476
  %v479 = add i64 2, %v478
  %v480 = getelementptr inbounds float, ptr %v1, i64 %v479
  %v481 = load float, ptr %v480, align 4
  %v482 = fsub float %v423, %v481
  %v483 = fmul float %v482, %v482
  %v484 = add i64 1, %v478
  %v485 = getelementptr inbounds float, ptr %v1, i64 %v484
  %v486 = load float, ptr %v485, align 4
  %v487 = fsub float %v426, %v486
  %v488 = fmul float %v487, %v487
  %v489 = getelementptr inbounds float, ptr %v1, i64 %v478
  %v490 = load float, ptr %v489, align 4
  %v491 = fsub float %v428, %v490
  %v492 = fmul float %v491, %v491
  %v493 = fadd float %v492, %v483
  %v494 = fadd float %v493, %v488
  %v495 = fadd float 0x0000000000000000, %v494
  %v496 = getelementptr inbounds float, ptr %v429, i64 %v477
  %v497 = load float, ptr %v496, align 4
  %v498 = fcmp olt float %v497, %v495
  %v499 = select i1 %v498, float %v497, float %v495
  %v500 = fcmp uno float %v497, %v497
  %v501 = select i1 %v500, float %v497, float %v499
  store float %v501, ptr %v496, align 4
  %v502 = add i64 %v476, 1
  %v503 = call i64 @llvm.fshl.i64(i64 %v502, i64 %v502, i64 0)
  %v504 = icmp slt i64 %v503, %v11
  br i1 %v504, label %loop21, label %after22
after22:
  %v505 = phi i64 [%v474, %after19], [%v503, %loop21]
  %v506 = load <8 x float>, ptr %v429, align 32
  %v507 = load <8 x float>, ptr %v430, align 32
  %v508 = load <8 x float>, ptr %v431, align 32
  %v509 = load <8 x float>, ptr %v432, align 32
  %v510 = fcmp olt <8 x float> %v506, %v508
  %v511 = select <8 x i1> %v510, <8 x float> %v506, <8 x float> %v508
  %v512 = fcmp uno <8 x float> %v506, %v506
  %v513 = select <8 x i1> %v512, <8 x float> %v506, <8 x float> %v511
  %v514 = fcmp olt <8 x float> %v507, %v509
  %v515 = select <8 x i1> %v514, <8 x float> %v507, <8 x float> %v509
  %v516 = fcmp uno <8 x float> %v507, %v507
  %v517 = select <8 x i1> %v516, <8 x float> %v507, <8 x float> %v515
  %v518 = fcmp olt <8 x float> %v513, %v517
  %v519 = select <8 x i1> %v518, <8 x float> %v513, <8 x float> %v517
  %v520 = fcmp uno <8 x float> %v513, %v513
  %v521 = select <8 x i1> %v520, <8 x float> %v513, <8 x float> %v519
  %v522 = shufflevector <8 x float> %v521, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v523 = shufflevector <8 x float> %v521, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v524 = fcmp olt <4 x float> %v522, %v523
  %v525 = select <4 x i1> %v524, <4 x float> %v522, <4 x float> %v523
  %v526 = fcmp uno <4 x float> %v522, %v522
  %v527 = select <4 x i1> %v526, <4 x float> %v522, <4 x float> %v525
  %v528 = shufflevector <4 x float> %v527, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v529 = shufflevector <4 x float> %v527, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v530 = fcmp olt <2 x float> %v528, %v529
  %v531 = select <2 x i1> %v530, <2 x float> %v528, <2 x float> %v529
  %v532 = fcmp uno <2 x float> %v528, %v528
  %v533 = select <2 x i1> %v532, <2 x float> %v528, <2 x float> %v531
  %v534 = extractelement <2 x float> %v533, i64 0
  %v535 = extractelement <2 x float> %v533, i64 1
  %v536 = fcmp olt float %v534, %v535
  %v537 = select i1 %v536, float %v534, float %v535
  %v538 = fcmp uno float %v534, %v534
  %v539 = select i1 %v538, float %v534, float %v537
  %v540 = fcmp olt float 0x7FF0000000000000, %v539
  %v541 = select i1 %v540, float 0x7FF0000000000000, float %v539
  %v542 = select i1 %v399, float 0x7FF0000000000000, float %v541
  %v543 = getelementptr inbounds float, ptr %v5, i64 %v419
  store float %v542, ptr %v543, align 4
  %v544 = add i64 %v419, 1
  %v545 = call i64 @llvm.fshl.i64(i64 %v544, i64 %v544, i64 0)
  %v546 = icmp slt i64 %v545, %v16
  br i1 %v546, label %loop15, label %after16
after16:
  %v547 = phi i64 [%v20, %after7], [%v545, %after22]
  br label %next4
next4:
  %v548 = add i64 %v13, 1
  %v549 = call i64 @llvm.fshl.i64(i64 %v548, i64 %v548, i64 0)
  %v550 = icmp slt i64 %v549, %end
  br i1 %v550, label %group2, label %finished3
finished3:
  ret void
}
