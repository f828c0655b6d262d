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
  %v100 = insertelement <8 x float> poison, float %v29, i64 0
  %v101 = shufflevector <8 x float> %v100, <8 x float> poison, <8 x i32> zeroinitializer
  %v107 = insertelement <8 x float> poison, float %v32, i64 0
  %v108 = shufflevector <8 x float> %v107, <8 x float> poison, <8 x i32> zeroinitializer
  %v113 = insertelement <8 x float> poison, float %v34, i64 0
  %v114 = shufflevector <8 x float> %v113, <8 x float> poison, <8 x i32> zeroinitializer
  %v120 = insertelement <8 x float> poison, float %v38, i64 0
  %v121 = shufflevector <8 x float> %v120, <8 x float> poison, <8 x i32> zeroinitializer
  %v124 = insertelement <8 x float> poison, float %v41, i64 0
  %v125 = shufflevector <8 x float> %v124, <8 x float> poison, <8 x i32> zeroinitializer
  %v128 = insertelement <8 x float> poison, float %v43, i64 0
  %v129 = shufflevector <8 x float> %v128, <8 x float> poison, <8 x i32> zeroinitializer
  %v135 = insertelement <8 x float> poison, float %v47, i64 0
  %v136 = shufflevector <8 x float> %v135, <8 x float> poison, <8 x i32> zeroinitializer
  %v139 = insertelement <8 x float> poison, float %v50, i64 0
  %v140 = shufflevector <8 x float> %v139, <8 x float> poison, <8 x i32> zeroinitializer
  %v143 = insertelement <8 x float> poison, float %v52, i64 0
  %v144 = shufflevector <8 x float> %v143, <8 x float> poison, <8 x i32> zeroinitializer
  %v150 = insertelement <8 x float> poison, float %v56, i64 0
  %v151 = shufflevector <8 x float> %v150, <8 x float> poison, <8 x i32> zeroinitializer
  %v154 = insertelement <8 x float> poison, float %v59, i64 0
  %v155 = shufflevector <8 x float> %v154, <8 x float> poison, <8 x i32> zeroinitializer
  %v158 = insertelement <8 x float> poison, float %v61, i64 0
  %v159 = shufflevector <8 x float> %v158, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop9
loop9:
  %v80 = phi i64 [0, %enter8], [%v182, %loop9]
  %v81 = and i64 %v80, 31
  %v82 = getelementptr inbounds float, ptr %v62, i64 %v81
  %v83 = load <8 x float>, ptr %v82, align 32
  %v84 = getelementptr inbounds float, ptr %v63, i64 %v81
  %v85 = load <8 x float>, ptr %v84, align 32
  %v86 = getelementptr inbounds float, ptr %v64, i64 %v81
  %v87 = load <8 x float>, ptr %v86, align 32
  %v88 = getelementptr inbounds float, ptr %v65, i64 %v81
  %v89 = load <8 x float>, ptr %v88, align 32
  %v90 = mul i64 %v80, 3
  %v91 = add i64 2, %v90
  %v92 = getelementptr inbounds float, ptr %v1, i64 %v90
  %v93 = load <8 x float>, ptr %v92, align 4
  %v94 = getelementptr float, ptr %v92, i64 8
  %v95 = load <8 x float>, ptr %v94, align 4
  %v96 = getelementptr float, ptr %v92, i64 16
  %v97 = load <8 x float>, ptr %v96, align 4
  %v98 = shufflevector <8 x float> %v93, <8 x float> %v95, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v99 = shufflevector <8 x float> %v98, <8 x float> %v97, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v102 = fsub <8 x float> %v101, %v99
  %v103 = fmul <8 x float> %v102, %v102
  %v104 = add i64 1, %v90
  %v105 = shufflevector <8 x float> %v93, <8 x float> %v95, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v106 = shufflevector <8 x float> %v105, <8 x float> %v97, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v109 = fsub <8 x float> %v108, %v106
  %v110 = fmul <8 x float> %v109, %v109
  %v111 = shufflevector <8 x float> %v93, <8 x float> %v95, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v112 = shufflevector <8 x float> %v111, <8 x float> %v97, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v115 = fsub <8 x float> %v114, %v112
  %v116 = fmul <8 x float> %v115, %v115
  %v117 = fadd <8 x float> %v116, %v103
  %v118 = fadd <8 x float> %v117, %v110
  %v119 = fadd <8 x float> splat (float 0x0000000000000000), %v118
  %v122 = fsub <8 x float> %v121, %v99
  %v123 = fmul <8 x float> %v122, %v122
  %v126 = fsub <8 x float> %v125, %v106
  %v127 = fmul <8 x float> %v126, %v126
  %v130 = fsub <8 x float> %v129, %v112
  %v131 = fmul <8 x float> %v130, %v130
  %v132 = fadd <8 x float> %v131, %v123
  %v133 = fadd <8 x float> %v132, %v127
  %v134 = fadd <8 x float> splat (float 0x0000000000000000), %v133
  %v137 = fsub <8 x float> %v136, %v99
  %v138 = fmul <8 x float> %v137, %v137
  %v141 = fsub <8 x float> %v140, %v106
  %v142 = fmul <8 x float> %v141, %v141
  %v145 = fsub <8 x float> %v144, %v112
  %v146 = fmul <8 x float> %v145, %v145
  %v147 = fadd <8 x float> %v146, %v138
  %v148 = fadd <8 x float> %v147, %v142
  %v149 = fadd <8 x float> splat (float 0x0000000000000000), %v148
  %v152 = fsub <8 x float> %v151, %v99
  %v153 = fmul <8 x float> %v152, %v152
  %v156 = fsub <8 x float> %v155, %v106
  %v157 = fmul <8 x float> %v156, %v156
  %v160 = fsub <8 x float> %v159, %v112
  %v161 = fmul <8 x float> %v160, %v160
  %v162 = fadd <8 x float> %v161, %v153
  %v163 = fadd <8 x float> %v162, %v157
  %v164 = fadd <8 x float> splat (float 0x0000000000000000), %v163
  %v165 = fcmp olt <8 x float> %v83, %v119
  %v166 = select <8 x i1> %v165, <8 x float> %v83, <8 x float> %v119
  %v167 = fcmp uno <8 x float> %v83, %v83
  %v168 = select <8 x i1> %v167, <8 x float> %v83, <8 x float> %v166
  %v169 = fcmp olt <8 x float> %v85, %v134
  %v170 = select <8 x i1> %v169, <8 x float> %v85, <8 x float> %v134
  %v171 = fcmp uno <8 x float> %v85, %v85
  %v172 = select <8 x i1> %v171, <8 x float> %v85, <8 x float> %v170
  %v173 = fcmp olt <8 x float> %v87, %v149
  %v174 = select <8 x i1> %v173, <8 x float> %v87, <8 x float> %v149
  %v175 = fcmp uno <8 x float> %v87, %v87
  %v176 = select <8 x i1> %v175, <8 x float> %v87, <8 x float> %v174
  %v177 = fcmp olt <8 x float> %v89, %v164
  %v178 = select <8 x i1> %v177, <8 x float> %v89, <8 x float> %v164
  %v179 = fcmp uno <8 x float> %v89, %v89
  %v180 = select <8 x i1> %v179, <8 x float> %v89, <8 x float> %v178
  store <8 x float> %v168, ptr %v82, align 32
  store <8 x float> %v172, ptr %v84, align 32
  store <8 x float> %v176, ptr %v86, align 32
  store <8 x float> %v180, ptr %v88, align 32
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
  %v188 = getelementptr inbounds float, ptr %v62, i64 %v187
  %v189 = load float, ptr %v188, align 4
  %v190 = getelementptr inbounds float, ptr %v63, i64 %v187
  %v191 = load float, ptr %v190, align 4
  %v192 = getelementptr inbounds float, ptr %v64, i64 %v187
  %v193 = load float, ptr %v192, align 4
  %v194 = getelementptr inbounds float, ptr %v65, i64 %v187
  %v195 = load float, ptr %v194, align 4
  %v196 = mul i64 3, %v186
  %v197 = add i64 2, %v196
  %v198 = getelementptr inbounds float, ptr %v1, i64 %v197
  %v199 = load float, ptr %v198, align 4
  %v200 = fsub float %v29, %v199
  %v201 = fmul float %v200, %v200
  %v202 = add i64 1, %v196
  %v203 = getelementptr inbounds float, ptr %v1, i64 %v202
  %v204 = load float, ptr %v203, align 4
  %v205 = fsub float %v32, %v204
  %v206 = fmul float %v205, %v205
  %v207 = getelementptr inbounds float, ptr %v1, i64 %v196
  %v208 = load float, ptr %v207, align 4
  %v209 = fsub float %v34, %v208
  %v210 = fmul float %v209, %v209
  %v211 = fadd float %v210, %v201
  %v212 = fadd float %v211, %v206
  %v213 = fadd float 0x0000000000000000, %v212
  %v214 = fsub float %v38, %v199
  %v215 = fmul float %v214, %v214
  %v216 = fsub float %v41, %v204
  %v217 = fmul float %v216, %v216
  %v218 = fsub float %v43, %v208
  %v219 = fmul float %v218, %v218
  %v220 = fadd float %v219, %v215
  %v221 = fadd float %v220, %v217
  %v222 = fadd float 0x0000000000000000, %v221
  %v223 = fsub float %v47, %v199
  %v224 = fmul float %v223, %v223
  %v225 = fsub float %v50, %v204
  %v226 = fmul float %v225, %v225
  %v227 = fsub float %v52, %v208
  %v228 = fmul float %v227, %v227
  %v229 = fadd float %v228, %v224
  %v230 = fadd float %v229, %v226
  %v231 = fadd float 0x0000000000000000, %v230
  %v232 = fsub float %v56, %v199
  %v233 = fmul float %v232, %v232
  %v234 = fsub float %v59, %v204
  %v235 = fmul float %v234, %v234
  %v236 = fsub float %v61, %v208
  %v237 = fmul float %v236, %v236
  %v238 = fadd float %v237, %v233
  %v239 = fadd float %v238, %v235
  %v240 = fadd float 0x0000000000000000, %v239
  %v241 = fcmp olt float %v189, %v213
  %v242 = select i1 %v241, float %v189, float %v213
  %v243 = fcmp uno float %v189, %v189
  %v244 = select i1 %v243, float %v189, float %v242
  %v245 = fcmp olt float %v191, %v222
  %v246 = select i1 %v245, float %v191, float %v222
  %v247 = fcmp uno float %v191, %v191
  %v248 = select i1 %v247, float %v191, float %v246
  %v249 = fcmp olt float %v193, %v231
  %v250 = select i1 %v249, float %v193, float %v231
  %v251 = fcmp uno float %v193, %v193
  %v252 = select i1 %v251, float %v193, float %v250
  %v253 = fcmp olt float %v195, %v240
  %v254 = select i1 %v253, float %v195, float %v240
  %v255 = fcmp uno float %v195, %v195
  %v256 = select i1 %v255, float %v195, float %v254
  store float %v244, ptr %v188, align 4
  store float %v248, ptr %v190, align 4
  store float %v252, ptr %v192, align 4
  store float %v256, ptr %v194, align 4
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
  %v447 = insertelement <8 x float> poison, float %v423, i64 0
  %v448 = shufflevector <8 x float> %v447, <8 x float> poison, <8 x i32> zeroinitializer
  %v454 = insertelement <8 x float> poison, float %v426, i64 0
  %v455 = shufflevector <8 x float> %v454, <8 x float> poison, <8 x i32> zeroinitializer
  %v460 = insertelement <8 x float> poison, float %v428, i64 0
  %v461 = shufflevector <8 x float> %v460, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop18
loop18:
  %v433 = phi i64 [0, %enter17], [%v472, %loop18]
  %v434 = and i64 %v433, 31
  %v435 = getelementptr inbounds float, ptr %v429, i64 %v434
  %v436 = load <8 x float>, ptr %v435, align 32
  %v437 = mul i64 %v433, 3
  %v438 = add i64 2, %v437
  %v439 = getelementptr inbounds float, ptr %v1, i64 %v437
  %v440 = load <8 x float>, ptr %v439, align 4
  %v441 = getelementptr float, ptr %v439, i64 8
  %v442 = load <8 x float>, ptr %v441, align 4
  %v443 = getelementptr float, ptr %v439, i64 16
  %v444 = load <8 x float>, ptr %v443, align 4
  %v445 = shufflevector <8 x float> %v440, <8 x float> %v442, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v446 = shufflevector <8 x float> %v445, <8 x float> %v444, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v449 = fsub <8 x float> %v448, %v446
  %v450 = fmul <8 x float> %v449, %v449
  %v451 = add i64 1, %v437
  %v452 = shufflevector <8 x float> %v440, <8 x float> %v442, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v453 = shufflevector <8 x float> %v452, <8 x float> %v444, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v456 = fsub <8 x float> %v455, %v453
  %v457 = fmul <8 x float> %v456, %v456
  %v458 = shufflevector <8 x float> %v440, <8 x float> %v442, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v459 = shufflevector <8 x float> %v458, <8 x float> %v444, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v462 = fsub <8 x float> %v461, %v459
  %v463 = fmul <8 x float> %v462, %v462
  %v464 = fadd <8 x float> %v463, %v450
  %v465 = fadd <8 x float> %v464, %v457
  %v466 = fadd <8 x float> splat (float 0x0000000000000000), %v465
  %v467 = fcmp olt <8 x float> %v436, %v466
  %v468 = select <8 x i1> %v467, <8 x float> %v436, <8 x float> %v466
  %v469 = fcmp uno <8 x float> %v436, %v436
  %v470 = select <8 x i1> %v469, <8 x float> %v436, <8 x float> %v468
  store <8 x float> %v470, ptr %v435, align 32
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
  %v478 = getelementptr inbounds float, ptr %v429, i64 %v477
  %v479 = load float, ptr %v478, align 4
  %v480 = mul i64 3, %v476
  %v481 = add i64 2, %v480
  %v482 = getelementptr inbounds float, ptr %v1, i64 %v481
  %v483 = load float, ptr %v482, align 4
  %v484 = fsub float %v423, %v483
  %v485 = fmul float %v484, %v484
  %v486 = add i64 1, %v480
  %v487 = getelementptr inbounds float, ptr %v1, i64 %v486
  %v488 = load float, ptr %v487, align 4
  %v489 = fsub float %v426, %v488
  %v490 = fmul float %v489, %v489
  %v491 = getelementptr inbounds float, ptr %v1, i64 %v480
  %v492 = load float, ptr %v491, align 4
  %v493 = fsub float %v428, %v492
  %v494 = fmul float %v493, %v493
  %v495 = fadd float %v494, %v485
  %v496 = fadd float %v495, %v490
  %v497 = fadd float 0x0000000000000000, %v496
  %v498 = fcmp olt float %v479, %v497
  %v499 = select i1 %v498, float %v479, float %v497
  %v500 = fcmp uno float %v479, %v479
  %v501 = select i1 %v500, float %v479, float %v499
  store float %v501, ptr %v478, align 4
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
