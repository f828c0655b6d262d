target triple = "x86_64-unknown-linux-gnu"
define void @min(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v71 = alloca [32 x float], align 64
  %v72 = alloca [32 x float], align 64
  %v73 = alloca [32 x float], align 64
  %v74 = alloca [32 x float], align 64
  %v456 = alloca [32 x float], align 64
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
  %v62 = icmp slt i64 0, %v11
  %v75 = getelementptr inbounds float, ptr %v71, i64 8
  %v76 = getelementptr inbounds float, ptr %v72, i64 8
  %v77 = getelementptr inbounds float, ptr %v73, i64 8
  %v78 = getelementptr inbounds float, ptr %v74, i64 8
  %v79 = getelementptr inbounds float, ptr %v71, i64 16
  %v80 = getelementptr inbounds float, ptr %v72, i64 16
  %v81 = getelementptr inbounds float, ptr %v73, i64 16
  %v82 = getelementptr inbounds float, ptr %v74, i64 16
  %v83 = getelementptr inbounds float, ptr %v71, i64 24
  %v84 = getelementptr inbounds float, ptr %v72, i64 24
  %v85 = getelementptr inbounds float, ptr %v73, i64 24
  %v86 = getelementptr inbounds float, ptr %v74, i64 24
  %v597 = getelementptr inbounds float, ptr %v456, i64 8
  %v598 = getelementptr inbounds float, ptr %v456, i64 16
  %v599 = getelementptr inbounds float, ptr %v456, i64 24
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v681, %next4]
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
  %v22 = phi i64 [%v14, %enter5], [%v437, %after10]
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
  br i1 %v62, label %enter8, label %after10
enter8:
  %v102 = insertelement <8 x float> poison, float %v29, i64 0
  %v103 = shufflevector <8 x float> %v102, <8 x float> poison, <8 x i32> zeroinitializer
  %v109 = insertelement <8 x float> poison, float %v32, i64 0
  %v110 = shufflevector <8 x float> %v109, <8 x float> poison, <8 x i32> zeroinitializer
  %v115 = insertelement <8 x float> poison, float %v34, i64 0
  %v116 = shufflevector <8 x float> %v115, <8 x float> poison, <8 x i32> zeroinitializer
  %v122 = insertelement <8 x float> poison, float %v38, i64 0
  %v123 = shufflevector <8 x float> %v122, <8 x float> poison, <8 x i32> zeroinitializer
  %v126 = insertelement <8 x float> poison, float %v41, i64 0
  %v127 = shufflevector <8 x float> %v126, <8 x float> poison, <8 x i32> zeroinitializer
  %v130 = insertelement <8 x float> poison, float %v43, i64 0
  %v131 = shufflevector <8 x float> %v130, <8 x float> poison, <8 x i32> zeroinitializer
  %v137 = insertelement <8 x float> poison, float %v47, i64 0
  %v138 = shufflevector <8 x float> %v137, <8 x float> poison, <8 x i32> zeroinitializer
  %v141 = insertelement <8 x float> poison, float %v50, i64 0
  %v142 = shufflevector <8 x float> %v141, <8 x float> poison, <8 x i32> zeroinitializer
  %v145 = insertelement <8 x float> poison, float %v52, i64 0
  %v146 = shufflevector <8 x float> %v145, <8 x float> poison, <8 x i32> zeroinitializer
  %v152 = insertelement <8 x float> poison, float %v56, i64 0
  %v153 = shufflevector <8 x float> %v152, <8 x float> poison, <8 x i32> zeroinitializer
  %v156 = insertelement <8 x float> poison, float %v59, i64 0
  %v157 = shufflevector <8 x float> %v156, <8 x float> poison, <8 x i32> zeroinitializer
  %v160 = insertelement <8 x float> poison, float %v61, i64 0
  %v161 = shufflevector <8 x float> %v160, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop9
loop9:
  %v63 = phi i64 [0, %enter8], [%v425, %after16]
  %v64 = phi float [0x7FF0000000000000, %enter8], [%v411, %after16]
  %v65 = phi float [0x7FF0000000000000, %enter8], [%v415, %after16]
  %v66 = phi float [0x7FF0000000000000, %enter8], [%v419, %after16]
  %v67 = phi float [0x7FF0000000000000, %enter8], [%v423, %after16]
  %v68 = add i64 %v63, 4096
  %v69 = call i64 @llvm.smin.i64(i64 %v68, i64 %v11)
  %v70 = sub i64 %v69, %v63
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v71, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v72, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v73, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v74, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v75, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v76, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v77, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v78, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v79, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v80, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v81, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v82, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v83, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v84, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v85, align 32
  store <8 x float> splat (float 0x7FF0000000000000), ptr %v86, align 32
  %v87 = sub i64 %v70, 7
  %v88 = icmp slt i64 0, %v87
  br i1 %v88, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v89 = phi i64 [0, %enter11], [%v192, %loop12]
  %v90 = and i64 %v89, 31
  %v91 = add i64 %v63, %v89
  %v92 = mul i64 %v91, 3
  %v93 = add i64 2, %v92
  %v94 = getelementptr inbounds float, ptr %v1, i64 %v92
  %v95 = load <8 x float>, ptr %v94, align 4
  %v96 = getelementptr float, ptr %v94, i64 8
  %v97 = load <8 x float>, ptr %v96, align 4
  %v98 = getelementptr float, ptr %v94, i64 16
  %v99 = load <8 x float>, ptr %v98, align 4
  %v100 = shufflevector <8 x float> %v95, <8 x float> %v97, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v101 = shufflevector <8 x float> %v100, <8 x float> %v99, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v104 = fsub <8 x float> %v103, %v101
  %v105 = fmul <8 x float> %v104, %v104
  %v106 = add i64 1, %v92
  %v107 = shufflevector <8 x float> %v95, <8 x float> %v97, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v108 = shufflevector <8 x float> %v107, <8 x float> %v99, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v111 = fsub <8 x float> %v110, %v108
  %v112 = fmul <8 x float> %v111, %v111
  %v113 = shufflevector <8 x float> %v95, <8 x float> %v97, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v114 = shufflevector <8 x float> %v113, <8 x float> %v99, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v117 = fsub <8 x float> %v116, %v114
  %v118 = fmul <8 x float> %v117, %v117
  %v119 = fadd <8 x float> %v118, %v105
  %v120 = fadd <8 x float> %v119, %v112
  %v121 = fadd <8 x float> splat (float 0x0000000000000000), %v120
  %v124 = fsub <8 x float> %v123, %v101
  %v125 = fmul <8 x float> %v124, %v124
  %v128 = fsub <8 x float> %v127, %v108
  %v129 = fmul <8 x float> %v128, %v128
  %v132 = fsub <8 x float> %v131, %v114
  %v133 = fmul <8 x float> %v132, %v132
  %v134 = fadd <8 x float> %v133, %v125
  %v135 = fadd <8 x float> %v134, %v129
  %v136 = fadd <8 x float> splat (float 0x0000000000000000), %v135
  %v139 = fsub <8 x float> %v138, %v101
  %v140 = fmul <8 x float> %v139, %v139
  %v143 = fsub <8 x float> %v142, %v108
  %v144 = fmul <8 x float> %v143, %v143
  %v147 = fsub <8 x float> %v146, %v114
  %v148 = fmul <8 x float> %v147, %v147
  %v149 = fadd <8 x float> %v148, %v140
  %v150 = fadd <8 x float> %v149, %v144
  %v151 = fadd <8 x float> splat (float 0x0000000000000000), %v150
  %v154 = fsub <8 x float> %v153, %v101
  %v155 = fmul <8 x float> %v154, %v154
  %v158 = fsub <8 x float> %v157, %v108
  %v159 = fmul <8 x float> %v158, %v158
  %v162 = fsub <8 x float> %v161, %v114
  %v163 = fmul <8 x float> %v162, %v162
  %v164 = fadd <8 x float> %v163, %v155
  %v165 = fadd <8 x float> %v164, %v159
  %v166 = fadd <8 x float> splat (float 0x0000000000000000), %v165
  %v167 = getelementptr inbounds float, ptr %v71, i64 %v90
  %v168 = load <8 x float>, ptr %v167, align 32
  %v169 = getelementptr inbounds float, ptr %v72, i64 %v90
  %v170 = load <8 x float>, ptr %v169, align 32
  %v171 = getelementptr inbounds float, ptr %v73, i64 %v90
  %v172 = load <8 x float>, ptr %v171, align 32
  %v173 = getelementptr inbounds float, ptr %v74, i64 %v90
  %v174 = load <8 x float>, ptr %v173, align 32
  %v175 = fcmp olt <8 x float> %v168, %v121
  %v176 = select <8 x i1> %v175, <8 x float> %v168, <8 x float> %v121
  %v177 = fcmp uno <8 x float> %v168, %v168
  %v178 = select <8 x i1> %v177, <8 x float> %v168, <8 x float> %v176
  %v179 = fcmp olt <8 x float> %v170, %v136
  %v180 = select <8 x i1> %v179, <8 x float> %v170, <8 x float> %v136
  %v181 = fcmp uno <8 x float> %v170, %v170
  %v182 = select <8 x i1> %v181, <8 x float> %v170, <8 x float> %v180
  %v183 = fcmp olt <8 x float> %v172, %v151
  %v184 = select <8 x i1> %v183, <8 x float> %v172, <8 x float> %v151
  %v185 = fcmp uno <8 x float> %v172, %v172
  %v186 = select <8 x i1> %v185, <8 x float> %v172, <8 x float> %v184
  %v187 = fcmp olt <8 x float> %v174, %v166
  %v188 = select <8 x i1> %v187, <8 x float> %v174, <8 x float> %v166
  %v189 = fcmp uno <8 x float> %v174, %v174
  %v190 = select <8 x i1> %v189, <8 x float> %v174, <8 x float> %v188
  store <8 x float> %v178, ptr %v167, align 32
  store <8 x float> %v182, ptr %v169, align 32
  store <8 x float> %v186, ptr %v171, align 32
  store <8 x float> %v190, ptr %v173, align 32
  %v191 = add i64 %v89, 8
  %v192 = call i64 @llvm.fshl.i64(i64 %v191, i64 %v191, i64 0)
  %v193 = icmp slt i64 %v192, %v87
  br i1 %v193, label %loop12, label %after13
after13:
  %v194 = phi i64 [0, %loop9], [%v192, %loop12]
  %v195 = icmp slt i64 %v194, %v70
  br i1 %v195, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v196 = phi i64 [%v194, %enter14], [%v269, %loop15]
  %v197 = and i64 %v196, 31
  %v198 = add i64 %v63, %v196
  %v199 = mul i64 3, %v198
  %v200 = add i64 2, %v199
  %v201 = getelementptr inbounds float, ptr %v1, i64 %v200
  %v202 = load float, ptr %v201, align 4
  %v203 = fsub float %v29, %v202
  %v204 = fmul float %v203, %v203
  %v205 = add i64 1, %v199
  %v206 = getelementptr inbounds float, ptr %v1, i64 %v205
  %v207 = load float, ptr %v206, align 4
  %v208 = fsub float %v32, %v207
  %v209 = fmul float %v208, %v208
  %v210 = getelementptr inbounds float, ptr %v1, i64 %v199
  %v211 = load float, ptr %v210, align 4
  %v212 = fsub float %v34, %v211
  %v213 = fmul float %v212, %v212
  %v214 = fadd float %v213, %v204
  %v215 = fadd float %v214, %v209
  %v216 = fadd float 0x0000000000000000, %v215
  %v217 = fsub float %v38, %v202
  %v218 = fmul float %v217, %v217
  %v219 = fsub float %v41, %v207
  %v220 = fmul float %v219, %v219
  %v221 = fsub float %v43, %v211
  %v222 = fmul float %v221, %v221
  %v223 = fadd float %v222, %v218
  %v224 = fadd float %v223, %v220
  %v225 = fadd float 0x0000000000000000, %v224
  %v226 = fsub float %v47, %v202
  %v227 = fmul float %v226, %v226
  %v228 = fsub float %v50, %v207
  %v229 = fmul float %v228, %v228
  %v230 = fsub float %v52, %v211
  %v231 = fmul float %v230, %v230
  %v232 = fadd float %v231, %v227
  %v233 = fadd float %v232, %v229
  %v234 = fadd float 0x0000000000000000, %v233
  %v235 = fsub float %v56, %v202
  %v236 = fmul float %v235, %v235
  %v237 = fsub float %v59, %v207
  %v238 = fmul float %v237, %v237
  %v239 = fsub float %v61, %v211
  %v240 = fmul float %v239, %v239
  %v241 = fadd float %v240, %v236
  %v242 = fadd float %v241, %v238
  %v243 = fadd float 0x0000000000000000, %v242
  %v244 = getelementptr inbounds float, ptr %v71, i64 %v197
  %v245 = load float, ptr %v244, align 4
  %v246 = getelementptr inbounds float, ptr %v72, i64 %v197
  %v247 = load float, ptr %v246, align 4
  %v248 = getelementptr inbounds float, ptr %v73, i64 %v197
  %v249 = load float, ptr %v248, align 4
  %v250 = getelementptr inbounds float, ptr %v74, i64 %v197
  %v251 = load float, ptr %v250, align 4
  %v252 = fcmp olt float %v245, %v216
  %v253 = select i1 %v252, float %v245, float %v216
  %v254 = fcmp uno float %v245, %v245
  %v255 = select i1 %v254, float %v245, float %v253
  %v256 = fcmp olt float %v247, %v225
  %v257 = select i1 %v256, float %v247, float %v225
  %v258 = fcmp uno float %v247, %v247
  %v259 = select i1 %v258, float %v247, float %v257
  %v260 = fcmp olt float %v249, %v234
  %v261 = select i1 %v260, float %v249, float %v234
  %v262 = fcmp uno float %v249, %v249
  %v263 = select i1 %v262, float %v249, float %v261
  %v264 = fcmp olt float %v251, %v243
  %v265 = select i1 %v264, float %v251, float %v243
  %v266 = fcmp uno float %v251, %v251
  %v267 = select i1 %v266, float %v251, float %v265
  store float %v255, ptr %v244, align 4
  store float %v259, ptr %v246, align 4
  store float %v263, ptr %v248, align 4
  store float %v267, ptr %v250, align 4
  %v268 = add i64 %v196, 1
  %v269 = call i64 @llvm.fshl.i64(i64 %v268, i64 %v268, i64 0)
  %v270 = icmp slt i64 %v269, %v70
  br i1 %v270, label %loop15, label %after16
after16:
  %v271 = phi i64 [%v194, %after13], [%v269, %loop15]
  %v272 = load <8 x float>, ptr %v71, align 32
  %v273 = load <8 x float>, ptr %v72, align 32
  %v274 = load <8 x float>, ptr %v73, align 32
  %v275 = load <8 x float>, ptr %v74, align 32
  %v276 = load <8 x float>, ptr %v75, align 32
  %v277 = load <8 x float>, ptr %v76, align 32
  %v278 = load <8 x float>, ptr %v77, align 32
  %v279 = load <8 x float>, ptr %v78, align 32
  %v280 = load <8 x float>, ptr %v79, align 32
  %v281 = load <8 x float>, ptr %v80, align 32
  %v282 = load <8 x float>, ptr %v81, align 32
  %v283 = load <8 x float>, ptr %v82, align 32
  %v284 = load <8 x float>, ptr %v83, align 32
  %v285 = load <8 x float>, ptr %v84, align 32
  %v286 = load <8 x float>, ptr %v85, align 32
  %v287 = load <8 x float>, ptr %v86, align 32
  %v288 = fcmp olt <8 x float> %v272, %v280
  %v289 = select <8 x i1> %v288, <8 x float> %v272, <8 x float> %v280
  %v290 = fcmp uno <8 x float> %v272, %v272
  %v291 = select <8 x i1> %v290, <8 x float> %v272, <8 x float> %v289
  %v292 = fcmp olt <8 x float> %v273, %v281
  %v293 = select <8 x i1> %v292, <8 x float> %v273, <8 x float> %v281
  %v294 = fcmp uno <8 x float> %v273, %v273
  %v295 = select <8 x i1> %v294, <8 x float> %v273, <8 x float> %v293
  %v296 = fcmp olt <8 x float> %v274, %v282
  %v297 = select <8 x i1> %v296, <8 x float> %v274, <8 x float> %v282
  %v298 = fcmp uno <8 x float> %v274, %v274
  %v299 = select <8 x i1> %v298, <8 x float> %v274, <8 x float> %v297
  %v300 = fcmp olt <8 x float> %v275, %v283
  %v301 = select <8 x i1> %v300, <8 x float> %v275, <8 x float> %v283
  %v302 = fcmp uno <8 x float> %v275, %v275
  %v303 = select <8 x i1> %v302, <8 x float> %v275, <8 x float> %v301
  %v304 = fcmp olt <8 x float> %v276, %v284
  %v305 = select <8 x i1> %v304, <8 x float> %v276, <8 x float> %v284
  %v306 = fcmp uno <8 x float> %v276, %v276
  %v307 = select <8 x i1> %v306, <8 x float> %v276, <8 x float> %v305
  %v308 = fcmp olt <8 x float> %v277, %v285
  %v309 = select <8 x i1> %v308, <8 x float> %v277, <8 x float> %v285
  %v310 = fcmp uno <8 x float> %v277, %v277
  %v311 = select <8 x i1> %v310, <8 x float> %v277, <8 x float> %v309
  %v312 = fcmp olt <8 x float> %v278, %v286
  %v313 = select <8 x i1> %v312, <8 x float> %v278, <8 x float> %v286
  %v314 = fcmp uno <8 x float> %v278, %v278
  %v315 = select <8 x i1> %v314, <8 x float> %v278, <8 x float> %v313
  %v316 = fcmp olt <8 x float> %v279, %v287
  %v317 = select <8 x i1> %v316, <8 x float> %v279, <8 x float> %v287
  %v318 = fcmp uno <8 x float> %v279, %v279
  %v319 = select <8 x i1> %v318, <8 x float> %v279, <8 x float> %v317
  %v320 = fcmp olt <8 x float> %v291, %v307
  %v321 = select <8 x i1> %v320, <8 x float> %v291, <8 x float> %v307
  %v322 = fcmp uno <8 x float> %v291, %v291
  %v323 = select <8 x i1> %v322, <8 x float> %v291, <8 x float> %v321
  %v324 = fcmp olt <8 x float> %v295, %v311
  %v325 = select <8 x i1> %v324, <8 x float> %v295, <8 x float> %v311
  %v326 = fcmp uno <8 x float> %v295, %v295
  %v327 = select <8 x i1> %v326, <8 x float> %v295, <8 x float> %v325
  %v328 = fcmp olt <8 x float> %v299, %v315
  %v329 = select <8 x i1> %v328, <8 x float> %v299, <8 x float> %v315
  %v330 = fcmp uno <8 x float> %v299, %v299
  %v331 = select <8 x i1> %v330, <8 x float> %v299, <8 x float> %v329
  %v332 = fcmp olt <8 x float> %v303, %v319
  %v333 = select <8 x i1> %v332, <8 x float> %v303, <8 x float> %v319
  %v334 = fcmp uno <8 x float> %v303, %v303
  %v335 = select <8 x i1> %v334, <8 x float> %v303, <8 x float> %v333
  %v336 = shufflevector <8 x float> %v323, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v337 = shufflevector <8 x float> %v327, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v338 = shufflevector <8 x float> %v331, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v339 = shufflevector <8 x float> %v335, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v340 = shufflevector <8 x float> %v323, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v341 = shufflevector <8 x float> %v327, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v342 = shufflevector <8 x float> %v331, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v343 = shufflevector <8 x float> %v335, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v344 = fcmp olt <4 x float> %v336, %v340
  %v345 = select <4 x i1> %v344, <4 x float> %v336, <4 x float> %v340
  %v346 = fcmp uno <4 x float> %v336, %v336
  %v347 = select <4 x i1> %v346, <4 x float> %v336, <4 x float> %v345
  %v348 = fcmp olt <4 x float> %v337, %v341
  %v349 = select <4 x i1> %v348, <4 x float> %v337, <4 x float> %v341
  %v350 = fcmp uno <4 x float> %v337, %v337
  %v351 = select <4 x i1> %v350, <4 x float> %v337, <4 x float> %v349
  %v352 = fcmp olt <4 x float> %v338, %v342
  %v353 = select <4 x i1> %v352, <4 x float> %v338, <4 x float> %v342
  %v354 = fcmp uno <4 x float> %v338, %v338
  %v355 = select <4 x i1> %v354, <4 x float> %v338, <4 x float> %v353
  %v356 = fcmp olt <4 x float> %v339, %v343
  %v357 = select <4 x i1> %v356, <4 x float> %v339, <4 x float> %v343
  %v358 = fcmp uno <4 x float> %v339, %v339
  %v359 = select <4 x i1> %v358, <4 x float> %v339, <4 x float> %v357
  %v360 = shufflevector <4 x float> %v347, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v361 = shufflevector <4 x float> %v351, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v362 = shufflevector <4 x float> %v355, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v363 = shufflevector <4 x float> %v359, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v364 = shufflevector <4 x float> %v347, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v365 = shufflevector <4 x float> %v351, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v366 = shufflevector <4 x float> %v355, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v367 = shufflevector <4 x float> %v359, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v368 = fcmp olt <2 x float> %v360, %v364
  %v369 = select <2 x i1> %v368, <2 x float> %v360, <2 x float> %v364
  %v370 = fcmp uno <2 x float> %v360, %v360
  %v371 = select <2 x i1> %v370, <2 x float> %v360, <2 x float> %v369
  %v372 = fcmp olt <2 x float> %v361, %v365
  %v373 = select <2 x i1> %v372, <2 x float> %v361, <2 x float> %v365
  %v374 = fcmp uno <2 x float> %v361, %v361
  %v375 = select <2 x i1> %v374, <2 x float> %v361, <2 x float> %v373
  %v376 = fcmp olt <2 x float> %v362, %v366
  %v377 = select <2 x i1> %v376, <2 x float> %v362, <2 x float> %v366
  %v378 = fcmp uno <2 x float> %v362, %v362
  %v379 = select <2 x i1> %v378, <2 x float> %v362, <2 x float> %v377
  %v380 = fcmp olt <2 x float> %v363, %v367
  %v381 = select <2 x i1> %v380, <2 x float> %v363, <2 x float> %v367
  %v382 = fcmp uno <2 x float> %v363, %v363
  %v383 = select <2 x i1> %v382, <2 x float> %v363, <2 x float> %v381
  %v384 = extractelement <2 x float> %v371, i64 0
  %v385 = extractelement <2 x float> %v375, i64 0
  %v386 = extractelement <2 x float> %v379, i64 0
  %v387 = extractelement <2 x float> %v383, i64 0
  %v388 = extractelement <2 x float> %v371, i64 1
  %v389 = extractelement <2 x float> %v375, i64 1
  %v390 = extractelement <2 x float> %v379, i64 1
  %v391 = extractelement <2 x float> %v383, i64 1
  %v392 = fcmp olt float %v384, %v388
  %v393 = select i1 %v392, float %v384, float %v388
  %v394 = fcmp uno float %v384, %v384
  %v395 = select i1 %v394, float %v384, float %v393
  %v396 = fcmp olt float %v385, %v389
  %v397 = select i1 %v396, float %v385, float %v389
  %v398 = fcmp uno float %v385, %v385
  %v399 = select i1 %v398, float %v385, float %v397
  %v400 = fcmp olt float %v386, %v390
  %v401 = select i1 %v400, float %v386, float %v390
  %v402 = fcmp uno float %v386, %v386
  %v403 = select i1 %v402, float %v386, float %v401
  %v404 = fcmp olt float %v387, %v391
  %v405 = select i1 %v404, float %v387, float %v391
  %v406 = fcmp uno float %v387, %v387
  %v407 = select i1 %v406, float %v387, float %v405
  %v408 = fcmp olt float %v64, %v395
  %v409 = select i1 %v408, float %v64, float %v395
  %v410 = fcmp uno float %v64, %v64
  %v411 = select i1 %v410, float %v64, float %v409
  %v412 = fcmp olt float %v65, %v399
  %v413 = select i1 %v412, float %v65, float %v399
  %v414 = fcmp uno float %v65, %v65
  %v415 = select i1 %v414, float %v65, float %v413
  %v416 = fcmp olt float %v66, %v403
  %v417 = select i1 %v416, float %v66, float %v403
  %v418 = fcmp uno float %v66, %v66
  %v419 = select i1 %v418, float %v66, float %v417
  %v420 = fcmp olt float %v67, %v407
  %v421 = select i1 %v420, float %v67, float %v407
  %v422 = fcmp uno float %v67, %v67
  %v423 = select i1 %v422, float %v67, float %v421
  %v424 = add i64 %v63, 4096
  %v425 = call i64 @llvm.fshl.i64(i64 %v424, i64 %v424, i64 0)
  %v426 = icmp slt i64 %v425, %v11
  br i1 %v426, label %loop9, label %after10
after10:
  %v427 = phi float [0x7FF0000000000000, %loop6], [%v411, %after16]
  %v428 = phi float [0x7FF0000000000000, %loop6], [%v415, %after16]
  %v429 = phi float [0x7FF0000000000000, %loop6], [%v419, %after16]
  %v430 = phi float [0x7FF0000000000000, %loop6], [%v423, %after16]
  %v431 = phi i64 [0, %loop6], [%v425, %after16]
  %v432 = getelementptr inbounds float, ptr %v5, i64 %v22
  store float %v427, ptr %v432, align 4
  %v433 = getelementptr inbounds float, ptr %v5, i64 %v23
  store float %v428, ptr %v433, align 4
  %v434 = getelementptr inbounds float, ptr %v5, i64 %v24
  store float %v429, ptr %v434, align 4
  %v435 = getelementptr inbounds float, ptr %v5, i64 %v25
  store float %v430, ptr %v435, align 4
  %v436 = add i64 %v22, 4
  %v437 = call i64 @llvm.fshl.i64(i64 %v436, i64 %v436, i64 0)
  %v438 = icmp slt i64 %v437, %v20
  br i1 %v438, label %loop6, label %after7
after7:
  %v439 = phi i64 [%v14, %group2], [%v437, %after10]
  %v440 = icmp slt i64 %v20, %v16
  br i1 %v440, label %enter17, label %after19
enter17:
  br label %loop18
loop18:
  %v441 = phi i64 [%v20, %enter17], [%v677, %after22]
  %v442 = mul i64 3, %v441
  %v443 = add i64 2, %v442
  %v444 = getelementptr inbounds float, ptr %v3, i64 %v443
  %v445 = load float, ptr %v444, align 4
  %v446 = add i64 1, %v442
  %v447 = getelementptr inbounds float, ptr %v3, i64 %v446
  %v448 = load float, ptr %v447, align 4
  %v449 = getelementptr inbounds float, ptr %v3, i64 %v442
  %v450 = load float, ptr %v449, align 4
  br i1 %v62, label %enter20, label %after22
enter20:
  %v475 = insertelement <8 x float> poison, float %v445, i64 0
  %v476 = shufflevector <8 x float> %v475, <8 x float> poison, <8 x i32> zeroinitializer
  %v482 = insertelement <8 x float> poison, float %v448, i64 0
  %v483 = shufflevector <8 x float> %v482, <8 x float> poison, <8 x i32> zeroinitializer
  %v488 = insertelement <8 x float> poison, float %v450, i64 0
  %v489 = shufflevector <8 x float> %v488, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop21
loop21:
  %v451 = phi i64 [0, %enter20], [%v671, %after28]
  %v452 = phi float [0x7FF0000000000000, %enter20], [%v669, %after28]
  %v453 = add i64 %v451, 4096
  %v454 = call i64 @llvm.smin.i64(i64 %v453, i64 %v11)
  %v455 = sub i64 %v454, %v451
  %v457 = sub i64 %v455, 31
  %v458 = icmp slt i64 0, %v457
  br i1 %v458, label %enter23, label %after25
enter23:
  br label %loop24
loop24:
  %v459 = phi i64 [0, %enter23], [%v590, %loop24]
  %v460 = phi <8 x float> [splat (float 0x7FF0000000000000), %enter23], [%v498, %loop24]
  %v461 = phi <8 x float> [splat (float 0x7FF0000000000000), %enter23], [%v528, %loop24]
  %v462 = phi <8 x float> [splat (float 0x7FF0000000000000), %enter23], [%v558, %loop24]
  %v463 = phi <8 x float> [splat (float 0x7FF0000000000000), %enter23], [%v588, %loop24]
  %v464 = add i64 %v451, %v459
  %v465 = mul i64 %v464, 3
  %v466 = add i64 2, %v465
  %v467 = getelementptr inbounds float, ptr %v1, i64 %v465
  %v468 = load <8 x float>, ptr %v467, align 4
  %v469 = getelementptr float, ptr %v467, i64 8
  %v470 = load <8 x float>, ptr %v469, align 4
  %v471 = getelementptr float, ptr %v467, i64 16
  %v472 = load <8 x float>, ptr %v471, align 4
  %v473 = shufflevector <8 x float> %v468, <8 x float> %v470, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v474 = shufflevector <8 x float> %v473, <8 x float> %v472, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v477 = fsub <8 x float> %v476, %v474
  %v478 = fmul <8 x float> %v477, %v477
  %v479 = add i64 1, %v465
  %v480 = shufflevector <8 x float> %v468, <8 x float> %v470, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v481 = shufflevector <8 x float> %v480, <8 x float> %v472, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v484 = fsub <8 x float> %v483, %v481
  %v485 = fmul <8 x float> %v484, %v484
  %v486 = shufflevector <8 x float> %v468, <8 x float> %v470, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v487 = shufflevector <8 x float> %v486, <8 x float> %v472, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v490 = fsub <8 x float> %v489, %v487
  %v491 = fmul <8 x float> %v490, %v490
  %v492 = fadd <8 x float> %v491, %v478
  %v493 = fadd <8 x float> %v492, %v485
  %v494 = fadd <8 x float> splat (float 0x0000000000000000), %v493
  %v495 = fcmp olt <8 x float> %v460, %v494
  %v496 = select <8 x i1> %v495, <8 x float> %v460, <8 x float> %v494
  %v497 = fcmp uno <8 x float> %v460, %v460
  %v498 = select <8 x i1> %v497, <8 x float> %v460, <8 x float> %v496
  %v499 = add i64 %v459, 8
  %v500 = add i64 %v451, %v499
  %v501 = mul i64 %v500, 3
  %v502 = add i64 2, %v501
  %v503 = getelementptr inbounds float, ptr %v1, i64 %v501
  %v504 = load <8 x float>, ptr %v503, align 4
  %v505 = getelementptr float, ptr %v503, i64 8
  %v506 = load <8 x float>, ptr %v505, align 4
  %v507 = getelementptr float, ptr %v503, i64 16
  %v508 = load <8 x float>, ptr %v507, align 4
  %v509 = shufflevector <8 x float> %v504, <8 x float> %v506, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v510 = shufflevector <8 x float> %v509, <8 x float> %v508, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v511 = fsub <8 x float> %v476, %v510
  %v512 = fmul <8 x float> %v511, %v511
  %v513 = add i64 1, %v501
  %v514 = shufflevector <8 x float> %v504, <8 x float> %v506, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v515 = shufflevector <8 x float> %v514, <8 x float> %v508, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v516 = fsub <8 x float> %v483, %v515
  %v517 = fmul <8 x float> %v516, %v516
  %v518 = shufflevector <8 x float> %v504, <8 x float> %v506, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v519 = shufflevector <8 x float> %v518, <8 x float> %v508, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v520 = fsub <8 x float> %v489, %v519
  %v521 = fmul <8 x float> %v520, %v520
  %v522 = fadd <8 x float> %v521, %v512
  %v523 = fadd <8 x float> %v522, %v517
  %v524 = fadd <8 x float> splat (float 0x0000000000000000), %v523
  %v525 = fcmp olt <8 x float> %v461, %v524
  %v526 = select <8 x i1> %v525, <8 x float> %v461, <8 x float> %v524
  %v527 = fcmp uno <8 x float> %v461, %v461
  %v528 = select <8 x i1> %v527, <8 x float> %v461, <8 x float> %v526
  %v529 = add i64 %v459, 16
  %v530 = add i64 %v451, %v529
  %v531 = mul i64 %v530, 3
  %v532 = add i64 2, %v531
  %v533 = getelementptr inbounds float, ptr %v1, i64 %v531
  %v534 = load <8 x float>, ptr %v533, align 4
  %v535 = getelementptr float, ptr %v533, i64 8
  %v536 = load <8 x float>, ptr %v535, align 4
  %v537 = getelementptr float, ptr %v533, i64 16
  %v538 = load <8 x float>, ptr %v537, align 4
  %v539 = shufflevector <8 x float> %v534, <8 x float> %v536, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v540 = shufflevector <8 x float> %v539, <8 x float> %v538, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v541 = fsub <8 x float> %v476, %v540
  %v542 = fmul <8 x float> %v541, %v541
  %v543 = add i64 1, %v531
  %v544 = shufflevector <8 x float> %v534, <8 x float> %v536, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v545 = shufflevector <8 x float> %v544, <8 x float> %v538, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v546 = fsub <8 x float> %v483, %v545
  %v547 = fmul <8 x float> %v546, %v546
  %v548 = shufflevector <8 x float> %v534, <8 x float> %v536, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v549 = shufflevector <8 x float> %v548, <8 x float> %v538, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v550 = fsub <8 x float> %v489, %v549
  %v551 = fmul <8 x float> %v550, %v550
  %v552 = fadd <8 x float> %v551, %v542
  %v553 = fadd <8 x float> %v552, %v547
  %v554 = fadd <8 x float> splat (float 0x0000000000000000), %v553
  %v555 = fcmp olt <8 x float> %v462, %v554
  %v556 = select <8 x i1> %v555, <8 x float> %v462, <8 x float> %v554
  %v557 = fcmp uno <8 x float> %v462, %v462
  %v558 = select <8 x i1> %v557, <8 x float> %v462, <8 x float> %v556
  %v559 = add i64 %v459, 24
  %v560 = add i64 %v451, %v559
  %v561 = mul i64 %v560, 3
  %v562 = add i64 2, %v561
  %v563 = getelementptr inbounds float, ptr %v1, i64 %v561
  %v564 = load <8 x float>, ptr %v563, align 4
  %v565 = getelementptr float, ptr %v563, i64 8
  %v566 = load <8 x float>, ptr %v565, align 4
  %v567 = getelementptr float, ptr %v563, i64 16
  %v568 = load <8 x float>, ptr %v567, align 4
  %v569 = shufflevector <8 x float> %v564, <8 x float> %v566, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v570 = shufflevector <8 x float> %v569, <8 x float> %v568, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v571 = fsub <8 x float> %v476, %v570
  %v572 = fmul <8 x float> %v571, %v571
  %v573 = add i64 1, %v561
  %v574 = shufflevector <8 x float> %v564, <8 x float> %v566, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v575 = shufflevector <8 x float> %v574, <8 x float> %v568, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v576 = fsub <8 x float> %v483, %v575
  %v577 = fmul <8 x float> %v576, %v576
  %v578 = shufflevector <8 x float> %v564, <8 x float> %v566, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v579 = shufflevector <8 x float> %v578, <8 x float> %v568, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v580 = fsub <8 x float> %v489, %v579
  %v581 = fmul <8 x float> %v580, %v580
  %v582 = fadd <8 x float> %v581, %v572
  %v583 = fadd <8 x float> %v582, %v577
  %v584 = fadd <8 x float> splat (float 0x0000000000000000), %v583
  %v585 = fcmp olt <8 x float> %v463, %v584
  %v586 = select <8 x i1> %v585, <8 x float> %v463, <8 x float> %v584
  %v587 = fcmp uno <8 x float> %v463, %v463
  %v588 = select <8 x i1> %v587, <8 x float> %v463, <8 x float> %v586
  %v589 = add i64 %v459, 32
  %v590 = call i64 @llvm.fshl.i64(i64 %v589, i64 %v589, i64 0)
  %v591 = icmp slt i64 %v590, %v457
  br i1 %v591, label %loop24, label %after25
after25:
  %v592 = phi <8 x float> [splat (float 0x7FF0000000000000), %loop21], [%v498, %loop24]
  %v593 = phi <8 x float> [splat (float 0x7FF0000000000000), %loop21], [%v528, %loop24]
  %v594 = phi <8 x float> [splat (float 0x7FF0000000000000), %loop21], [%v558, %loop24]
  %v595 = phi <8 x float> [splat (float 0x7FF0000000000000), %loop21], [%v588, %loop24]
  %v596 = phi i64 [0, %loop21], [%v590, %loop24]
  store <8 x float> %v592, ptr %v456, align 32
  store <8 x float> %v593, ptr %v597, align 32
  store <8 x float> %v594, ptr %v598, align 32
  store <8 x float> %v595, ptr %v599, align 32
  %v600 = icmp slt i64 %v596, %v455
  br i1 %v600, label %enter26, label %after28
enter26:
  br label %loop27
loop27:
  %v601 = phi i64 [%v596, %enter26], [%v629, %loop27]
  %v602 = and i64 %v601, 31
  %v603 = add i64 %v451, %v601
  %v604 = mul i64 3, %v603
  %v605 = add i64 2, %v604
  %v606 = getelementptr inbounds float, ptr %v1, i64 %v605
  %v607 = load float, ptr %v606, align 4
  %v608 = fsub float %v445, %v607
  %v609 = fmul float %v608, %v608
  %v610 = add i64 1, %v604
  %v611 = getelementptr inbounds float, ptr %v1, i64 %v610
  %v612 = load float, ptr %v611, align 4
  %v613 = fsub float %v448, %v612
  %v614 = fmul float %v613, %v613
  %v615 = getelementptr inbounds float, ptr %v1, i64 %v604
  %v616 = load float, ptr %v615, align 4
  %v617 = fsub float %v450, %v616
  %v618 = fmul float %v617, %v617
  %v619 = fadd float %v618, %v609
  %v620 = fadd float %v619, %v614
  %v621 = fadd float 0x0000000000000000, %v620
  %v622 = getelementptr inbounds float, ptr %v456, i64 %v602
  %v623 = load float, ptr %v622, align 4
  %v624 = fcmp olt float %v623, %v621
  %v625 = select i1 %v624, float %v623, float %v621
  %v626 = fcmp uno float %v623, %v623
  %v627 = select i1 %v626, float %v623, float %v625
  store float %v627, ptr %v622, align 4
  %v628 = add i64 %v601, 1
  %v629 = call i64 @llvm.fshl.i64(i64 %v628, i64 %v628, i64 0)
  %v630 = icmp slt i64 %v629, %v455
  br i1 %v630, label %loop27, label %after28
after28:
  %v631 = phi i64 [%v596, %after25], [%v629, %loop27]
  %v632 = load <8 x float>, ptr %v456, align 32
  %v633 = load <8 x float>, ptr %v597, align 32
  %v634 = load <8 x float>, ptr %v598, align 32
  %v635 = load <8 x float>, ptr %v599, align 32
  %v636 = fcmp olt <8 x float> %v632, %v634
  %v637 = select <8 x i1> %v636, <8 x float> %v632, <8 x float> %v634
  %v638 = fcmp uno <8 x float> %v632, %v632
  %v639 = select <8 x i1> %v638, <8 x float> %v632, <8 x float> %v637
  %v640 = fcmp olt <8 x float> %v633, %v635
  %v641 = select <8 x i1> %v640, <8 x float> %v633, <8 x float> %v635
  %v642 = fcmp uno <8 x float> %v633, %v633
  %v643 = select <8 x i1> %v642, <8 x float> %v633, <8 x float> %v641
  %v644 = fcmp olt <8 x float> %v639, %v643
  %v645 = select <8 x i1> %v644, <8 x float> %v639, <8 x float> %v643
  %v646 = fcmp uno <8 x float> %v639, %v639
  %v647 = select <8 x i1> %v646, <8 x float> %v639, <8 x float> %v645
  %v648 = shufflevector <8 x float> %v647, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v649 = shufflevector <8 x float> %v647, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v650 = fcmp olt <4 x float> %v648, %v649
  %v651 = select <4 x i1> %v650, <4 x float> %v648, <4 x float> %v649
  %v652 = fcmp uno <4 x float> %v648, %v648
  %v653 = select <4 x i1> %v652, <4 x float> %v648, <4 x float> %v651
  %v654 = shufflevector <4 x float> %v653, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v655 = shufflevector <4 x float> %v653, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v656 = fcmp olt <2 x float> %v654, %v655
  %v657 = select <2 x i1> %v656, <2 x float> %v654, <2 x float> %v655
  %v658 = fcmp uno <2 x float> %v654, %v654
  %v659 = select <2 x i1> %v658, <2 x float> %v654, <2 x float> %v657
  %v660 = extractelement <2 x float> %v659, i64 0
  %v661 = extractelement <2 x float> %v659, i64 1
  %v662 = fcmp olt float %v660, %v661
  %v663 = select i1 %v662, float %v660, float %v661
  %v664 = fcmp uno float %v660, %v660
  %v665 = select i1 %v664, float %v660, float %v663
  %v666 = fcmp olt float %v452, %v665
  %v667 = select i1 %v666, float %v452, float %v665
  %v668 = fcmp uno float %v452, %v452
  %v669 = select i1 %v668, float %v452, float %v667
  %v670 = add i64 %v451, 4096
  %v671 = call i64 @llvm.fshl.i64(i64 %v670, i64 %v670, i64 0)
  %v672 = icmp slt i64 %v671, %v11
  br i1 %v672, label %loop21, label %after22
after22:
  %v673 = phi float [0x7FF0000000000000, %loop18], [%v669, %after28]
  %v674 = phi i64 [0, %loop18], [%v671, %after28]
  %v675 = getelementptr inbounds float, ptr %v5, i64 %v441
  store float %v673, ptr %v675, align 4
  %v676 = add i64 %v441, 1
  %v677 = call i64 @llvm.fshl.i64(i64 %v676, i64 %v676, i64 0)
  %v678 = icmp slt i64 %v677, %v16
  br i1 %v678, label %loop18, label %after19
after19:
  %v679 = phi i64 [%v20, %after7], [%v677, %after22]
  br label %next4
next4:
  %v680 = add i64 %v13, 1
  %v681 = call i64 @llvm.fshl.i64(i64 %v680, i64 %v680, i64 0)
  %v682 = icmp slt i64 %v681, %end
  br i1 %v682, label %group2, label %finished3
finished3:
  ret void
}
