target triple = "x86_64-unknown-linux-gnu"
define void @min(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v62 = alloca [32 x float], align 64
  %v63 = alloca [32 x float], align 64
  %v64 = alloca [32 x float], align 64
  %v65 = alloca [32 x float], align 64
  %v416 = alloca [32 x float], align 64
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
  %v417 = getelementptr inbounds float, ptr %v416, i64 8
  %v418 = getelementptr inbounds float, ptr %v416, i64 16
  %v419 = getelementptr inbounds float, ptr %v416, i64 24
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v533, %next4]
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
  %v22 = phi i64 [%v14, %enter5], [%v402, %after13]
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
  %v119 = insertelement <8 x float> poison, float %v38, i64 0
  %v120 = shufflevector <8 x float> %v119, <8 x float> poison, <8 x i32> zeroinitializer
  %v123 = insertelement <8 x float> poison, float %v41, i64 0
  %v124 = shufflevector <8 x float> %v123, <8 x float> poison, <8 x i32> zeroinitializer
  %v127 = insertelement <8 x float> poison, float %v43, i64 0
  %v128 = shufflevector <8 x float> %v127, <8 x float> poison, <8 x i32> zeroinitializer
  %v133 = insertelement <8 x float> poison, float %v47, i64 0
  %v134 = shufflevector <8 x float> %v133, <8 x float> poison, <8 x i32> zeroinitializer
  %v137 = insertelement <8 x float> poison, float %v50, i64 0
  %v138 = shufflevector <8 x float> %v137, <8 x float> poison, <8 x i32> zeroinitializer
  %v141 = insertelement <8 x float> poison, float %v52, i64 0
  %v142 = shufflevector <8 x float> %v141, <8 x float> poison, <8 x i32> zeroinitializer
  %v147 = insertelement <8 x float> poison, float %v56, i64 0
  %v148 = shufflevector <8 x float> %v147, <8 x float> poison, <8 x i32> zeroinitializer
  %v151 = insertelement <8 x float> poison, float %v59, i64 0
  %v152 = shufflevector <8 x float> %v151, <8 x float> poison, <8 x i32> zeroinitializer
  %v155 = insertelement <8 x float> poison, float %v61, i64 0
  %v156 = shufflevector <8 x float> %v155, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop9
loop9:
  %v80 = phi i64 [0, %enter8], [%v178, %loop9]
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
  %v121 = fsub <8 x float> %v120, %v99
  %v122 = fmul <8 x float> %v121, %v121
  %v125 = fsub <8 x float> %v124, %v106
  %v126 = fmul <8 x float> %v125, %v125
  %v129 = fsub <8 x float> %v128, %v112
  %v130 = fmul <8 x float> %v129, %v129
  %v131 = fadd <8 x float> %v130, %v122
  %v132 = fadd <8 x float> %v131, %v126
  %v135 = fsub <8 x float> %v134, %v99
  %v136 = fmul <8 x float> %v135, %v135
  %v139 = fsub <8 x float> %v138, %v106
  %v140 = fmul <8 x float> %v139, %v139
  %v143 = fsub <8 x float> %v142, %v112
  %v144 = fmul <8 x float> %v143, %v143
  %v145 = fadd <8 x float> %v144, %v136
  %v146 = fadd <8 x float> %v145, %v140
  %v149 = fsub <8 x float> %v148, %v99
  %v150 = fmul <8 x float> %v149, %v149
  %v153 = fsub <8 x float> %v152, %v106
  %v154 = fmul <8 x float> %v153, %v153
  %v157 = fsub <8 x float> %v156, %v112
  %v158 = fmul <8 x float> %v157, %v157
  %v159 = fadd <8 x float> %v158, %v150
  %v160 = fadd <8 x float> %v159, %v154
  %v161 = fcmp olt <8 x float> %v83, %v118
  %v162 = select <8 x i1> %v161, <8 x float> %v83, <8 x float> %v118
  %v163 = fcmp uno <8 x float> %v83, %v83
  %v164 = select <8 x i1> %v163, <8 x float> %v83, <8 x float> %v162
  %v165 = fcmp olt <8 x float> %v85, %v132
  %v166 = select <8 x i1> %v165, <8 x float> %v85, <8 x float> %v132
  %v167 = fcmp uno <8 x float> %v85, %v85
  %v168 = select <8 x i1> %v167, <8 x float> %v85, <8 x float> %v166
  %v169 = fcmp olt <8 x float> %v87, %v146
  %v170 = select <8 x i1> %v169, <8 x float> %v87, <8 x float> %v146
  %v171 = fcmp uno <8 x float> %v87, %v87
  %v172 = select <8 x i1> %v171, <8 x float> %v87, <8 x float> %v170
  %v173 = fcmp olt <8 x float> %v89, %v160
  %v174 = select <8 x i1> %v173, <8 x float> %v89, <8 x float> %v160
  %v175 = fcmp uno <8 x float> %v89, %v89
  %v176 = select <8 x i1> %v175, <8 x float> %v89, <8 x float> %v174
  store <8 x float> %v164, ptr %v82, align 32
  store <8 x float> %v168, ptr %v84, align 32
  store <8 x float> %v172, ptr %v86, align 32
  store <8 x float> %v176, ptr %v88, align 32
  %v177 = add i64 %v80, 8
  %v178 = call i64 @llvm.fshl.i64(i64 %v177, i64 %v177, i64 0)
  %v179 = icmp slt i64 %v178, %v78
  br i1 %v179, label %loop9, label %after10
after10:
  %v180 = phi i64 [0, %loop6], [%v178, %loop9]
  %v181 = icmp slt i64 %v180, %v11
  br i1 %v181, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v182 = phi i64 [%v180, %enter11], [%v250, %loop12]
  %v183 = and i64 %v182, 31
  %v184 = getelementptr inbounds float, ptr %v62, i64 %v183
  %v185 = load float, ptr %v184, align 4
  %v186 = getelementptr inbounds float, ptr %v63, i64 %v183
  %v187 = load float, ptr %v186, align 4
  %v188 = getelementptr inbounds float, ptr %v64, i64 %v183
  %v189 = load float, ptr %v188, align 4
  %v190 = getelementptr inbounds float, ptr %v65, i64 %v183
  %v191 = load float, ptr %v190, align 4
  %v192 = mul i64 3, %v182
  %v193 = add i64 2, %v192
  %v194 = getelementptr inbounds float, ptr %v1, i64 %v193
  %v195 = load float, ptr %v194, align 4
  %v196 = fsub float %v29, %v195
  %v197 = fmul float %v196, %v196
  %v198 = add i64 1, %v192
  %v199 = getelementptr inbounds float, ptr %v1, i64 %v198
  %v200 = load float, ptr %v199, align 4
  %v201 = fsub float %v32, %v200
  %v202 = fmul float %v201, %v201
  %v203 = getelementptr inbounds float, ptr %v1, i64 %v192
  %v204 = load float, ptr %v203, align 4
  %v205 = fsub float %v34, %v204
  %v206 = fmul float %v205, %v205
  %v207 = fadd float %v206, %v197
  %v208 = fadd float %v207, %v202
  %v209 = fsub float %v38, %v195
  %v210 = fmul float %v209, %v209
  %v211 = fsub float %v41, %v200
  %v212 = fmul float %v211, %v211
  %v213 = fsub float %v43, %v204
  %v214 = fmul float %v213, %v213
  %v215 = fadd float %v214, %v210
  %v216 = fadd float %v215, %v212
  %v217 = fsub float %v47, %v195
  %v218 = fmul float %v217, %v217
  %v219 = fsub float %v50, %v200
  %v220 = fmul float %v219, %v219
  %v221 = fsub float %v52, %v204
  %v222 = fmul float %v221, %v221
  %v223 = fadd float %v222, %v218
  %v224 = fadd float %v223, %v220
  %v225 = fsub float %v56, %v195
  %v226 = fmul float %v225, %v225
  %v227 = fsub float %v59, %v200
  %v228 = fmul float %v227, %v227
  %v229 = fsub float %v61, %v204
  %v230 = fmul float %v229, %v229
  %v231 = fadd float %v230, %v226
  %v232 = fadd float %v231, %v228
  %v233 = fcmp olt float %v185, %v208
  %v234 = select i1 %v233, float %v185, float %v208
  %v235 = fcmp uno float %v185, %v185
  %v236 = select i1 %v235, float %v185, float %v234
  %v237 = fcmp olt float %v187, %v216
  %v238 = select i1 %v237, float %v187, float %v216
  %v239 = fcmp uno float %v187, %v187
  %v240 = select i1 %v239, float %v187, float %v238
  %v241 = fcmp olt float %v189, %v224
  %v242 = select i1 %v241, float %v189, float %v224
  %v243 = fcmp uno float %v189, %v189
  %v244 = select i1 %v243, float %v189, float %v242
  %v245 = fcmp olt float %v191, %v232
  %v246 = select i1 %v245, float %v191, float %v232
  %v247 = fcmp uno float %v191, %v191
  %v248 = select i1 %v247, float %v191, float %v246
  store float %v236, ptr %v184, align 4
  store float %v240, ptr %v186, align 4
  store float %v244, ptr %v188, align 4
  store float %v248, ptr %v190, align 4
  %v249 = add i64 %v182, 1
  %v250 = call i64 @llvm.fshl.i64(i64 %v249, i64 %v249, i64 0)
  %v251 = icmp slt i64 %v250, %v11
  br i1 %v251, label %loop12, label %after13
after13:
  %v252 = phi i64 [%v180, %after10], [%v250, %loop12]
  %v253 = load <8 x float>, ptr %v62, align 32
  %v254 = load <8 x float>, ptr %v63, align 32
  %v255 = load <8 x float>, ptr %v64, align 32
  %v256 = load <8 x float>, ptr %v65, align 32
  %v257 = load <8 x float>, ptr %v66, align 32
  %v258 = load <8 x float>, ptr %v67, align 32
  %v259 = load <8 x float>, ptr %v68, align 32
  %v260 = load <8 x float>, ptr %v69, align 32
  %v261 = load <8 x float>, ptr %v70, align 32
  %v262 = load <8 x float>, ptr %v71, align 32
  %v263 = load <8 x float>, ptr %v72, align 32
  %v264 = load <8 x float>, ptr %v73, align 32
  %v265 = load <8 x float>, ptr %v74, align 32
  %v266 = load <8 x float>, ptr %v75, align 32
  %v267 = load <8 x float>, ptr %v76, align 32
  %v268 = load <8 x float>, ptr %v77, align 32
  %v269 = fcmp olt <8 x float> %v253, %v261
  %v270 = select <8 x i1> %v269, <8 x float> %v253, <8 x float> %v261
  %v271 = fcmp uno <8 x float> %v253, %v253
  %v272 = select <8 x i1> %v271, <8 x float> %v253, <8 x float> %v270
  %v273 = fcmp olt <8 x float> %v254, %v262
  %v274 = select <8 x i1> %v273, <8 x float> %v254, <8 x float> %v262
  %v275 = fcmp uno <8 x float> %v254, %v254
  %v276 = select <8 x i1> %v275, <8 x float> %v254, <8 x float> %v274
  %v277 = fcmp olt <8 x float> %v255, %v263
  %v278 = select <8 x i1> %v277, <8 x float> %v255, <8 x float> %v263
  %v279 = fcmp uno <8 x float> %v255, %v255
  %v280 = select <8 x i1> %v279, <8 x float> %v255, <8 x float> %v278
  %v281 = fcmp olt <8 x float> %v256, %v264
  %v282 = select <8 x i1> %v281, <8 x float> %v256, <8 x float> %v264
  %v283 = fcmp uno <8 x float> %v256, %v256
  %v284 = select <8 x i1> %v283, <8 x float> %v256, <8 x float> %v282
  %v285 = fcmp olt <8 x float> %v257, %v265
  %v286 = select <8 x i1> %v285, <8 x float> %v257, <8 x float> %v265
  %v287 = fcmp uno <8 x float> %v257, %v257
  %v288 = select <8 x i1> %v287, <8 x float> %v257, <8 x float> %v286
  %v289 = fcmp olt <8 x float> %v258, %v266
  %v290 = select <8 x i1> %v289, <8 x float> %v258, <8 x float> %v266
  %v291 = fcmp uno <8 x float> %v258, %v258
  %v292 = select <8 x i1> %v291, <8 x float> %v258, <8 x float> %v290
  %v293 = fcmp olt <8 x float> %v259, %v267
  %v294 = select <8 x i1> %v293, <8 x float> %v259, <8 x float> %v267
  %v295 = fcmp uno <8 x float> %v259, %v259
  %v296 = select <8 x i1> %v295, <8 x float> %v259, <8 x float> %v294
  %v297 = fcmp olt <8 x float> %v260, %v268
  %v298 = select <8 x i1> %v297, <8 x float> %v260, <8 x float> %v268
  %v299 = fcmp uno <8 x float> %v260, %v260
  %v300 = select <8 x i1> %v299, <8 x float> %v260, <8 x float> %v298
  %v301 = fcmp olt <8 x float> %v272, %v288
  %v302 = select <8 x i1> %v301, <8 x float> %v272, <8 x float> %v288
  %v303 = fcmp uno <8 x float> %v272, %v272
  %v304 = select <8 x i1> %v303, <8 x float> %v272, <8 x float> %v302
  %v305 = fcmp olt <8 x float> %v276, %v292
  %v306 = select <8 x i1> %v305, <8 x float> %v276, <8 x float> %v292
  %v307 = fcmp uno <8 x float> %v276, %v276
  %v308 = select <8 x i1> %v307, <8 x float> %v276, <8 x float> %v306
  %v309 = fcmp olt <8 x float> %v280, %v296
  %v310 = select <8 x i1> %v309, <8 x float> %v280, <8 x float> %v296
  %v311 = fcmp uno <8 x float> %v280, %v280
  %v312 = select <8 x i1> %v311, <8 x float> %v280, <8 x float> %v310
  %v313 = fcmp olt <8 x float> %v284, %v300
  %v314 = select <8 x i1> %v313, <8 x float> %v284, <8 x float> %v300
  %v315 = fcmp uno <8 x float> %v284, %v284
  %v316 = select <8 x i1> %v315, <8 x float> %v284, <8 x float> %v314
  %v317 = shufflevector <8 x float> %v304, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v318 = shufflevector <8 x float> %v308, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v319 = shufflevector <8 x float> %v312, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v320 = shufflevector <8 x float> %v316, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v321 = shufflevector <8 x float> %v304, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v322 = shufflevector <8 x float> %v308, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v323 = shufflevector <8 x float> %v312, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v324 = shufflevector <8 x float> %v316, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v325 = fcmp olt <4 x float> %v317, %v321
  %v326 = select <4 x i1> %v325, <4 x float> %v317, <4 x float> %v321
  %v327 = fcmp uno <4 x float> %v317, %v317
  %v328 = select <4 x i1> %v327, <4 x float> %v317, <4 x float> %v326
  %v329 = fcmp olt <4 x float> %v318, %v322
  %v330 = select <4 x i1> %v329, <4 x float> %v318, <4 x float> %v322
  %v331 = fcmp uno <4 x float> %v318, %v318
  %v332 = select <4 x i1> %v331, <4 x float> %v318, <4 x float> %v330
  %v333 = fcmp olt <4 x float> %v319, %v323
  %v334 = select <4 x i1> %v333, <4 x float> %v319, <4 x float> %v323
  %v335 = fcmp uno <4 x float> %v319, %v319
  %v336 = select <4 x i1> %v335, <4 x float> %v319, <4 x float> %v334
  %v337 = fcmp olt <4 x float> %v320, %v324
  %v338 = select <4 x i1> %v337, <4 x float> %v320, <4 x float> %v324
  %v339 = fcmp uno <4 x float> %v320, %v320
  %v340 = select <4 x i1> %v339, <4 x float> %v320, <4 x float> %v338
  %v341 = shufflevector <4 x float> %v328, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v342 = shufflevector <4 x float> %v332, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v343 = shufflevector <4 x float> %v336, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v344 = shufflevector <4 x float> %v340, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v345 = shufflevector <4 x float> %v328, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v346 = shufflevector <4 x float> %v332, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v347 = shufflevector <4 x float> %v336, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v348 = shufflevector <4 x float> %v340, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v349 = fcmp olt <2 x float> %v341, %v345
  %v350 = select <2 x i1> %v349, <2 x float> %v341, <2 x float> %v345
  %v351 = fcmp uno <2 x float> %v341, %v341
  %v352 = select <2 x i1> %v351, <2 x float> %v341, <2 x float> %v350
  %v353 = fcmp olt <2 x float> %v342, %v346
  %v354 = select <2 x i1> %v353, <2 x float> %v342, <2 x float> %v346
  %v355 = fcmp uno <2 x float> %v342, %v342
  %v356 = select <2 x i1> %v355, <2 x float> %v342, <2 x float> %v354
  %v357 = fcmp olt <2 x float> %v343, %v347
  %v358 = select <2 x i1> %v357, <2 x float> %v343, <2 x float> %v347
  %v359 = fcmp uno <2 x float> %v343, %v343
  %v360 = select <2 x i1> %v359, <2 x float> %v343, <2 x float> %v358
  %v361 = fcmp olt <2 x float> %v344, %v348
  %v362 = select <2 x i1> %v361, <2 x float> %v344, <2 x float> %v348
  %v363 = fcmp uno <2 x float> %v344, %v344
  %v364 = select <2 x i1> %v363, <2 x float> %v344, <2 x float> %v362
  %v365 = extractelement <2 x float> %v352, i64 0
  %v366 = extractelement <2 x float> %v356, i64 0
  %v367 = extractelement <2 x float> %v360, i64 0
  %v368 = extractelement <2 x float> %v364, i64 0
  %v369 = extractelement <2 x float> %v352, i64 1
  %v370 = extractelement <2 x float> %v356, i64 1
  %v371 = extractelement <2 x float> %v360, i64 1
  %v372 = extractelement <2 x float> %v364, i64 1
  %v373 = fcmp olt float %v365, %v369
  %v374 = select i1 %v373, float %v365, float %v369
  %v375 = fcmp uno float %v365, %v365
  %v376 = select i1 %v375, float %v365, float %v374
  %v377 = fcmp olt float %v366, %v370
  %v378 = select i1 %v377, float %v366, float %v370
  %v379 = fcmp uno float %v366, %v366
  %v380 = select i1 %v379, float %v366, float %v378
  %v381 = fcmp olt float %v367, %v371
  %v382 = select i1 %v381, float %v367, float %v371
  %v383 = fcmp uno float %v367, %v367
  %v384 = select i1 %v383, float %v367, float %v382
  %v385 = fcmp olt float %v368, %v372
  %v386 = select i1 %v385, float %v368, float %v372
  %v387 = fcmp uno float %v368, %v368
  %v388 = select i1 %v387, float %v368, float %v386
  %v389 = fcmp olt float 0x7FF0000000000000, %v376
  %v390 = select i1 %v389, float 0x7FF0000000000000, float %v376
  %v391 = fcmp olt float 0x7FF0000000000000, %v380
  %v392 = select i1 %v391, float 0x7FF0000000000000, float %v380
  %v393 = fcmp olt float 0x7FF0000000000000, %v384
  %v394 = select i1 %v393, float 0x7FF0000000000000, float %v384
  %v395 = fcmp olt float 0x7FF0000000000000, %v388
  %v396 = select i1 %v395, float 0x7FF0000000000000, float %v388
  %v397 = getelementptr inbounds float, ptr %v5, i64 %v22
  store float %v390, ptr %v397, align 4
  %v398 = getelementptr inbounds float, ptr %v5, i64 %v23
  store float %v392, ptr %v398, align 4
  %v399 = getelementptr inbounds float, ptr %v5, i64 %v24
  store float %v394, ptr %v399, align 4
  %v400 = getelementptr inbounds float, ptr %v5, i64 %v25
  store float %v396, ptr %v400, align 4
  %v401 = add i64 %v22, 4
  %v402 = call i64 @llvm.fshl.i64(i64 %v401, i64 %v401, i64 0)
  %v403 = icmp slt i64 %v402, %v20
  br i1 %v403, label %loop6, label %after7
after7:
  %v404 = phi i64 [%v14, %group2], [%v402, %after13]
  %v405 = icmp slt i64 %v20, %v16
  br i1 %v405, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v406 = phi i64 [%v20, %enter14], [%v529, %after22]
  %v407 = mul i64 3, %v406
  %v408 = add i64 2, %v407
  %v409 = getelementptr inbounds float, ptr %v3, i64 %v408
  %v410 = load float, ptr %v409, align 4
  %v411 = add i64 1, %v407
  %v412 = getelementptr inbounds float, ptr %v3, i64 %v411
  %v413 = load float, ptr %v412, align 4
  %v414 = getelementptr inbounds float, ptr %v3, i64 %v407
  %v415 = load float, ptr %v414, align 4
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v416, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v417, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v418, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v419, align 32
  br i1 %v79, label %enter17, label %after19
enter17:
  %v434 = insertelement <8 x float> poison, float %v410, i64 0
  %v435 = shufflevector <8 x float> %v434, <8 x float> poison, <8 x i32> zeroinitializer
  %v441 = insertelement <8 x float> poison, float %v413, i64 0
  %v442 = shufflevector <8 x float> %v441, <8 x float> poison, <8 x i32> zeroinitializer
  %v447 = insertelement <8 x float> poison, float %v415, i64 0
  %v448 = shufflevector <8 x float> %v447, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop18
loop18:
  %v420 = phi i64 [0, %enter17], [%v458, %loop18]
  %v421 = and i64 %v420, 31
  %v422 = getelementptr inbounds float, ptr %v416, i64 %v421
  %v423 = load <8 x float>, ptr %v422, align 32
  %v424 = mul i64 %v420, 3
  %v425 = add i64 2, %v424
  %v426 = getelementptr inbounds float, ptr %v1, i64 %v424
  %v427 = load <8 x float>, ptr %v426, align 4
  %v428 = getelementptr float, ptr %v426, i64 8
  %v429 = load <8 x float>, ptr %v428, align 4
  %v430 = getelementptr float, ptr %v426, i64 16
  %v431 = load <8 x float>, ptr %v430, align 4
  %v432 = shufflevector <8 x float> %v427, <8 x float> %v429, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v433 = shufflevector <8 x float> %v432, <8 x float> %v431, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v436 = fsub <8 x float> %v435, %v433
  %v437 = fmul <8 x float> %v436, %v436
  %v438 = add i64 1, %v424
  %v439 = shufflevector <8 x float> %v427, <8 x float> %v429, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v440 = shufflevector <8 x float> %v439, <8 x float> %v431, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v443 = fsub <8 x float> %v442, %v440
  %v444 = fmul <8 x float> %v443, %v443
  %v445 = shufflevector <8 x float> %v427, <8 x float> %v429, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v446 = shufflevector <8 x float> %v445, <8 x float> %v431, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v449 = fsub <8 x float> %v448, %v446
  %v450 = fmul <8 x float> %v449, %v449
  %v451 = fadd <8 x float> %v450, %v437
  %v452 = fadd <8 x float> %v451, %v444
  %v453 = fcmp olt <8 x float> %v423, %v452
  %v454 = select <8 x i1> %v453, <8 x float> %v423, <8 x float> %v452
  %v455 = fcmp uno <8 x float> %v423, %v423
  %v456 = select <8 x i1> %v455, <8 x float> %v423, <8 x float> %v454
  store <8 x float> %v456, ptr %v422, align 32
  %v457 = add i64 %v420, 8
  %v458 = call i64 @llvm.fshl.i64(i64 %v457, i64 %v457, i64 0)
  %v459 = icmp slt i64 %v458, %v78
  br i1 %v459, label %loop18, label %after19
after19:
  %v460 = phi i64 [0, %loop15], [%v458, %loop18]
  %v461 = icmp slt i64 %v460, %v11
  br i1 %v461, label %enter20, label %after22
enter20:
  br label %loop21
loop21:
  %v462 = phi i64 [%v460, %enter20], [%v488, %loop21]
  %v463 = and i64 %v462, 31
  %v464 = getelementptr inbounds float, ptr %v416, i64 %v463
  %v465 = load float, ptr %v464, align 4
  %v466 = mul i64 3, %v462
  %v467 = add i64 2, %v466
  %v468 = getelementptr inbounds float, ptr %v1, i64 %v467
  %v469 = load float, ptr %v468, align 4
  %v470 = fsub float %v410, %v469
  %v471 = fmul float %v470, %v470
  %v472 = add i64 1, %v466
  %v473 = getelementptr inbounds float, ptr %v1, i64 %v472
  %v474 = load float, ptr %v473, align 4
  %v475 = fsub float %v413, %v474
  %v476 = fmul float %v475, %v475
  %v477 = getelementptr inbounds float, ptr %v1, i64 %v466
  %v478 = load float, ptr %v477, align 4
  %v479 = fsub float %v415, %v478
  %v480 = fmul float %v479, %v479
  %v481 = fadd float %v480, %v471
  %v482 = fadd float %v481, %v476
  %v483 = fcmp olt float %v465, %v482
  %v484 = select i1 %v483, float %v465, float %v482
  %v485 = fcmp uno float %v465, %v465
  %v486 = select i1 %v485, float %v465, float %v484
  store float %v486, ptr %v464, align 4
  %v487 = add i64 %v462, 1
  %v488 = call i64 @llvm.fshl.i64(i64 %v487, i64 %v487, i64 0)
  %v489 = icmp slt i64 %v488, %v11
  br i1 %v489, label %loop21, label %after22
after22:
  %v490 = phi i64 [%v460, %after19], [%v488, %loop21]
  %v491 = load <8 x float>, ptr %v416, align 32
  %v492 = load <8 x float>, ptr %v417, align 32
  %v493 = load <8 x float>, ptr %v418, align 32
  %v494 = load <8 x float>, ptr %v419, align 32
  %v495 = fcmp olt <8 x float> %v491, %v493
  %v496 = select <8 x i1> %v495, <8 x float> %v491, <8 x float> %v493
  %v497 = fcmp uno <8 x float> %v491, %v491
  %v498 = select <8 x i1> %v497, <8 x float> %v491, <8 x float> %v496
  %v499 = fcmp olt <8 x float> %v492, %v494
  %v500 = select <8 x i1> %v499, <8 x float> %v492, <8 x float> %v494
  %v501 = fcmp uno <8 x float> %v492, %v492
  %v502 = select <8 x i1> %v501, <8 x float> %v492, <8 x float> %v500
  %v503 = fcmp olt <8 x float> %v498, %v502
  %v504 = select <8 x i1> %v503, <8 x float> %v498, <8 x float> %v502
  %v505 = fcmp uno <8 x float> %v498, %v498
  %v506 = select <8 x i1> %v505, <8 x float> %v498, <8 x float> %v504
  %v507 = shufflevector <8 x float> %v506, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v508 = shufflevector <8 x float> %v506, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v509 = fcmp olt <4 x float> %v507, %v508
  %v510 = select <4 x i1> %v509, <4 x float> %v507, <4 x float> %v508
  %v511 = fcmp uno <4 x float> %v507, %v507
  %v512 = select <4 x i1> %v511, <4 x float> %v507, <4 x float> %v510
  %v513 = shufflevector <4 x float> %v512, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v514 = shufflevector <4 x float> %v512, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v515 = fcmp olt <2 x float> %v513, %v514
  %v516 = select <2 x i1> %v515, <2 x float> %v513, <2 x float> %v514
  %v517 = fcmp uno <2 x float> %v513, %v513
  %v518 = select <2 x i1> %v517, <2 x float> %v513, <2 x float> %v516
  %v519 = extractelement <2 x float> %v518, i64 0
  %v520 = extractelement <2 x float> %v518, i64 1
  %v521 = fcmp olt float %v519, %v520
  %v522 = select i1 %v521, float %v519, float %v520
  %v523 = fcmp uno float %v519, %v519
  %v524 = select i1 %v523, float %v519, float %v522
  %v525 = fcmp olt float 0x7FF0000000000000, %v524
  %v526 = select i1 %v525, float 0x7FF0000000000000, float %v524
  %v527 = getelementptr inbounds float, ptr %v5, i64 %v406
  store float %v526, ptr %v527, align 4
  %v528 = add i64 %v406, 1
  %v529 = call i64 @llvm.fshl.i64(i64 %v528, i64 %v528, i64 0)
  %v530 = icmp slt i64 %v529, %v16
  br i1 %v530, label %loop15, label %after16
after16:
  %v531 = phi i64 [%v20, %after7], [%v529, %after22]
  br label %next4
next4:
  %v532 = add i64 %v13, 1
  %v533 = call i64 @llvm.fshl.i64(i64 %v532, i64 %v532, i64 0)
  %v534 = icmp slt i64 %v533, %end
  br i1 %v534, label %group2, label %finished3
finished3:
  ret void
}
