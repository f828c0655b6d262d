target triple = "x86_64-unknown-linux-gnu"
define void @min(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v71 = alloca [32 x float], align 64
  %v72 = alloca [32 x float], align 64
  %v73 = alloca [32 x float], align 64
  %v74 = alloca [32 x float], align 64
  %v451 = alloca [32 x float], align 64
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
  %v591 = getelementptr inbounds float, ptr %v451, i64 8
  %v592 = getelementptr inbounds float, ptr %v451, i64 16
  %v593 = getelementptr inbounds float, ptr %v451, i64 24
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v670, %next4]
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
  %v22 = phi i64 [%v14, %enter5], [%v432, %after10]
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
  %v63 = phi i64 [0, %enter8], [%v68, %after16]
  %v64 = phi float [0x7FF0000000000000, %enter8], [%v409, %after16]
  %v65 = phi float [0x7FF0000000000000, %enter8], [%v413, %after16]
  %v66 = phi float [0x7FF0000000000000, %enter8], [%v417, %after16]
  %v67 = phi float [0x7FF0000000000000, %enter8], [%v421, %after16]
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
  %v89 = phi i64 [0, %enter11], [%v191, %loop12]
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
  %v192 = icmp slt i64 %v191, %v87
  br i1 %v192, label %loop12, label %after13
after13:
  %v193 = phi i64 [0, %loop9], [%v191, %loop12]
  %v194 = icmp slt i64 %v193, %v70
  br i1 %v194, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v195 = phi i64 [%v193, %enter14], [%v267, %loop15]
  %v196 = and i64 %v195, 31
  %v197 = add i64 %v63, %v195
  %v198 = mul i64 3, %v197
  %v199 = add i64 2, %v198
  %v200 = getelementptr inbounds float, ptr %v1, i64 %v199
  %v201 = load float, ptr %v200, align 4
  %v202 = fsub float %v29, %v201
  %v203 = fmul float %v202, %v202
  %v204 = add i64 1, %v198
  %v205 = getelementptr inbounds float, ptr %v1, i64 %v204
  %v206 = load float, ptr %v205, align 4
  %v207 = fsub float %v32, %v206
  %v208 = fmul float %v207, %v207
  %v209 = getelementptr inbounds float, ptr %v1, i64 %v198
  %v210 = load float, ptr %v209, align 4
  %v211 = fsub float %v34, %v210
  %v212 = fmul float %v211, %v211
  %v213 = fadd float %v212, %v203
  %v214 = fadd float %v213, %v208
  %v215 = fadd float 0x0000000000000000, %v214
  %v216 = fsub float %v38, %v201
  %v217 = fmul float %v216, %v216
  %v218 = fsub float %v41, %v206
  %v219 = fmul float %v218, %v218
  %v220 = fsub float %v43, %v210
  %v221 = fmul float %v220, %v220
  %v222 = fadd float %v221, %v217
  %v223 = fadd float %v222, %v219
  %v224 = fadd float 0x0000000000000000, %v223
  %v225 = fsub float %v47, %v201
  %v226 = fmul float %v225, %v225
  %v227 = fsub float %v50, %v206
  %v228 = fmul float %v227, %v227
  %v229 = fsub float %v52, %v210
  %v230 = fmul float %v229, %v229
  %v231 = fadd float %v230, %v226
  %v232 = fadd float %v231, %v228
  %v233 = fadd float 0x0000000000000000, %v232
  %v234 = fsub float %v56, %v201
  %v235 = fmul float %v234, %v234
  %v236 = fsub float %v59, %v206
  %v237 = fmul float %v236, %v236
  %v238 = fsub float %v61, %v210
  %v239 = fmul float %v238, %v238
  %v240 = fadd float %v239, %v235
  %v241 = fadd float %v240, %v237
  %v242 = fadd float 0x0000000000000000, %v241
  %v243 = getelementptr inbounds float, ptr %v71, i64 %v196
  %v244 = load float, ptr %v243, align 4
  %v245 = getelementptr inbounds float, ptr %v72, i64 %v196
  %v246 = load float, ptr %v245, align 4
  %v247 = getelementptr inbounds float, ptr %v73, i64 %v196
  %v248 = load float, ptr %v247, align 4
  %v249 = getelementptr inbounds float, ptr %v74, i64 %v196
  %v250 = load float, ptr %v249, align 4
  %v251 = fcmp olt float %v244, %v215
  %v252 = select i1 %v251, float %v244, float %v215
  %v253 = fcmp uno float %v244, %v244
  %v254 = select i1 %v253, float %v244, float %v252
  %v255 = fcmp olt float %v246, %v224
  %v256 = select i1 %v255, float %v246, float %v224
  %v257 = fcmp uno float %v246, %v246
  %v258 = select i1 %v257, float %v246, float %v256
  %v259 = fcmp olt float %v248, %v233
  %v260 = select i1 %v259, float %v248, float %v233
  %v261 = fcmp uno float %v248, %v248
  %v262 = select i1 %v261, float %v248, float %v260
  %v263 = fcmp olt float %v250, %v242
  %v264 = select i1 %v263, float %v250, float %v242
  %v265 = fcmp uno float %v250, %v250
  %v266 = select i1 %v265, float %v250, float %v264
  store float %v254, ptr %v243, align 4
  store float %v258, ptr %v245, align 4
  store float %v262, ptr %v247, align 4
  store float %v266, ptr %v249, align 4
  %v267 = add i64 %v195, 1
  %v268 = icmp slt i64 %v267, %v70
  br i1 %v268, label %loop15, label %after16
after16:
  %v269 = phi i64 [%v193, %after13], [%v267, %loop15]
  %v270 = load <8 x float>, ptr %v71, align 32
  %v271 = load <8 x float>, ptr %v72, align 32
  %v272 = load <8 x float>, ptr %v73, align 32
  %v273 = load <8 x float>, ptr %v74, align 32
  %v274 = load <8 x float>, ptr %v75, align 32
  %v275 = load <8 x float>, ptr %v76, align 32
  %v276 = load <8 x float>, ptr %v77, align 32
  %v277 = load <8 x float>, ptr %v78, align 32
  %v278 = load <8 x float>, ptr %v79, align 32
  %v279 = load <8 x float>, ptr %v80, align 32
  %v280 = load <8 x float>, ptr %v81, align 32
  %v281 = load <8 x float>, ptr %v82, align 32
  %v282 = load <8 x float>, ptr %v83, align 32
  %v283 = load <8 x float>, ptr %v84, align 32
  %v284 = load <8 x float>, ptr %v85, align 32
  %v285 = load <8 x float>, ptr %v86, align 32
  %v286 = fcmp olt <8 x float> %v270, %v278
  %v287 = select <8 x i1> %v286, <8 x float> %v270, <8 x float> %v278
  %v288 = fcmp uno <8 x float> %v270, %v270
  %v289 = select <8 x i1> %v288, <8 x float> %v270, <8 x float> %v287
  %v290 = fcmp olt <8 x float> %v271, %v279
  %v291 = select <8 x i1> %v290, <8 x float> %v271, <8 x float> %v279
  %v292 = fcmp uno <8 x float> %v271, %v271
  %v293 = select <8 x i1> %v292, <8 x float> %v271, <8 x float> %v291
  %v294 = fcmp olt <8 x float> %v272, %v280
  %v295 = select <8 x i1> %v294, <8 x float> %v272, <8 x float> %v280
  %v296 = fcmp uno <8 x float> %v272, %v272
  %v297 = select <8 x i1> %v296, <8 x float> %v272, <8 x float> %v295
  %v298 = fcmp olt <8 x float> %v273, %v281
  %v299 = select <8 x i1> %v298, <8 x float> %v273, <8 x float> %v281
  %v300 = fcmp uno <8 x float> %v273, %v273
  %v301 = select <8 x i1> %v300, <8 x float> %v273, <8 x float> %v299
  %v302 = fcmp olt <8 x float> %v274, %v282
  %v303 = select <8 x i1> %v302, <8 x float> %v274, <8 x float> %v282
  %v304 = fcmp uno <8 x float> %v274, %v274
  %v305 = select <8 x i1> %v304, <8 x float> %v274, <8 x float> %v303
  %v306 = fcmp olt <8 x float> %v275, %v283
  %v307 = select <8 x i1> %v306, <8 x float> %v275, <8 x float> %v283
  %v308 = fcmp uno <8 x float> %v275, %v275
  %v309 = select <8 x i1> %v308, <8 x float> %v275, <8 x float> %v307
  %v310 = fcmp olt <8 x float> %v276, %v284
  %v311 = select <8 x i1> %v310, <8 x float> %v276, <8 x float> %v284
  %v312 = fcmp uno <8 x float> %v276, %v276
  %v313 = select <8 x i1> %v312, <8 x float> %v276, <8 x float> %v311
  %v314 = fcmp olt <8 x float> %v277, %v285
  %v315 = select <8 x i1> %v314, <8 x float> %v277, <8 x float> %v285
  %v316 = fcmp uno <8 x float> %v277, %v277
  %v317 = select <8 x i1> %v316, <8 x float> %v277, <8 x float> %v315
  %v318 = fcmp olt <8 x float> %v289, %v305
  %v319 = select <8 x i1> %v318, <8 x float> %v289, <8 x float> %v305
  %v320 = fcmp uno <8 x float> %v289, %v289
  %v321 = select <8 x i1> %v320, <8 x float> %v289, <8 x float> %v319
  %v322 = fcmp olt <8 x float> %v293, %v309
  %v323 = select <8 x i1> %v322, <8 x float> %v293, <8 x float> %v309
  %v324 = fcmp uno <8 x float> %v293, %v293
  %v325 = select <8 x i1> %v324, <8 x float> %v293, <8 x float> %v323
  %v326 = fcmp olt <8 x float> %v297, %v313
  %v327 = select <8 x i1> %v326, <8 x float> %v297, <8 x float> %v313
  %v328 = fcmp uno <8 x float> %v297, %v297
  %v329 = select <8 x i1> %v328, <8 x float> %v297, <8 x float> %v327
  %v330 = fcmp olt <8 x float> %v301, %v317
  %v331 = select <8 x i1> %v330, <8 x float> %v301, <8 x float> %v317
  %v332 = fcmp uno <8 x float> %v301, %v301
  %v333 = select <8 x i1> %v332, <8 x float> %v301, <8 x float> %v331
  %v334 = shufflevector <8 x float> %v321, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v335 = shufflevector <8 x float> %v325, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v336 = shufflevector <8 x float> %v329, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v337 = shufflevector <8 x float> %v333, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v338 = shufflevector <8 x float> %v321, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v339 = shufflevector <8 x float> %v325, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v340 = shufflevector <8 x float> %v329, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v341 = shufflevector <8 x float> %v333, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v342 = fcmp olt <4 x float> %v334, %v338
  %v343 = select <4 x i1> %v342, <4 x float> %v334, <4 x float> %v338
  %v344 = fcmp uno <4 x float> %v334, %v334
  %v345 = select <4 x i1> %v344, <4 x float> %v334, <4 x float> %v343
  %v346 = fcmp olt <4 x float> %v335, %v339
  %v347 = select <4 x i1> %v346, <4 x float> %v335, <4 x float> %v339
  %v348 = fcmp uno <4 x float> %v335, %v335
  %v349 = select <4 x i1> %v348, <4 x float> %v335, <4 x float> %v347
  %v350 = fcmp olt <4 x float> %v336, %v340
  %v351 = select <4 x i1> %v350, <4 x float> %v336, <4 x float> %v340
  %v352 = fcmp uno <4 x float> %v336, %v336
  %v353 = select <4 x i1> %v352, <4 x float> %v336, <4 x float> %v351
  %v354 = fcmp olt <4 x float> %v337, %v341
  %v355 = select <4 x i1> %v354, <4 x float> %v337, <4 x float> %v341
  %v356 = fcmp uno <4 x float> %v337, %v337
  %v357 = select <4 x i1> %v356, <4 x float> %v337, <4 x float> %v355
  %v358 = shufflevector <4 x float> %v345, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v359 = shufflevector <4 x float> %v349, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v360 = shufflevector <4 x float> %v353, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v361 = shufflevector <4 x float> %v357, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v362 = shufflevector <4 x float> %v345, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v363 = shufflevector <4 x float> %v349, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v364 = shufflevector <4 x float> %v353, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v365 = shufflevector <4 x float> %v357, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v366 = fcmp olt <2 x float> %v358, %v362
  %v367 = select <2 x i1> %v366, <2 x float> %v358, <2 x float> %v362
  %v368 = fcmp uno <2 x float> %v358, %v358
  %v369 = select <2 x i1> %v368, <2 x float> %v358, <2 x float> %v367
  %v370 = fcmp olt <2 x float> %v359, %v363
  %v371 = select <2 x i1> %v370, <2 x float> %v359, <2 x float> %v363
  %v372 = fcmp uno <2 x float> %v359, %v359
  %v373 = select <2 x i1> %v372, <2 x float> %v359, <2 x float> %v371
  %v374 = fcmp olt <2 x float> %v360, %v364
  %v375 = select <2 x i1> %v374, <2 x float> %v360, <2 x float> %v364
  %v376 = fcmp uno <2 x float> %v360, %v360
  %v377 = select <2 x i1> %v376, <2 x float> %v360, <2 x float> %v375
  %v378 = fcmp olt <2 x float> %v361, %v365
  %v379 = select <2 x i1> %v378, <2 x float> %v361, <2 x float> %v365
  %v380 = fcmp uno <2 x float> %v361, %v361
  %v381 = select <2 x i1> %v380, <2 x float> %v361, <2 x float> %v379
  %v382 = extractelement <2 x float> %v369, i64 0
  %v383 = extractelement <2 x float> %v373, i64 0
  %v384 = extractelement <2 x float> %v377, i64 0
  %v385 = extractelement <2 x float> %v381, i64 0
  %v386 = extractelement <2 x float> %v369, i64 1
  %v387 = extractelement <2 x float> %v373, i64 1
  %v388 = extractelement <2 x float> %v377, i64 1
  %v389 = extractelement <2 x float> %v381, i64 1
  %v390 = fcmp olt float %v382, %v386
  %v391 = select i1 %v390, float %v382, float %v386
  %v392 = fcmp uno float %v382, %v382
  %v393 = select i1 %v392, float %v382, float %v391
  %v394 = fcmp olt float %v383, %v387
  %v395 = select i1 %v394, float %v383, float %v387
  %v396 = fcmp uno float %v383, %v383
  %v397 = select i1 %v396, float %v383, float %v395
  %v398 = fcmp olt float %v384, %v388
  %v399 = select i1 %v398, float %v384, float %v388
  %v400 = fcmp uno float %v384, %v384
  %v401 = select i1 %v400, float %v384, float %v399
  %v402 = fcmp olt float %v385, %v389
  %v403 = select i1 %v402, float %v385, float %v389
  %v404 = fcmp uno float %v385, %v385
  %v405 = select i1 %v404, float %v385, float %v403
  %v406 = fcmp olt float %v64, %v393
  %v407 = select i1 %v406, float %v64, float %v393
  %v408 = fcmp uno float %v64, %v64
  %v409 = select i1 %v408, float %v64, float %v407
  %v410 = fcmp olt float %v65, %v397
  %v411 = select i1 %v410, float %v65, float %v397
  %v412 = fcmp uno float %v65, %v65
  %v413 = select i1 %v412, float %v65, float %v411
  %v414 = fcmp olt float %v66, %v401
  %v415 = select i1 %v414, float %v66, float %v401
  %v416 = fcmp uno float %v66, %v66
  %v417 = select i1 %v416, float %v66, float %v415
  %v418 = fcmp olt float %v67, %v405
  %v419 = select i1 %v418, float %v67, float %v405
  %v420 = fcmp uno float %v67, %v67
  %v421 = select i1 %v420, float %v67, float %v419
  %v422 = icmp slt i64 %v68, %v11
  br i1 %v422, label %loop9, label %after10
after10:
  %v423 = phi float [0x7FF0000000000000, %loop6], [%v409, %after16]
  %v424 = phi float [0x7FF0000000000000, %loop6], [%v413, %after16]
  %v425 = phi float [0x7FF0000000000000, %loop6], [%v417, %after16]
  %v426 = phi float [0x7FF0000000000000, %loop6], [%v421, %after16]
  %v427 = phi i64 [0, %loop6], [%v68, %after16]
  %v428 = getelementptr inbounds float, ptr %v5, i64 %v22
  store float %v423, ptr %v428, align 4
  %v429 = getelementptr inbounds float, ptr %v5, i64 %v23
  store float %v424, ptr %v429, align 4
  %v430 = getelementptr inbounds float, ptr %v5, i64 %v24
  store float %v425, ptr %v430, align 4
  %v431 = getelementptr inbounds float, ptr %v5, i64 %v25
  store float %v426, ptr %v431, align 4
  %v432 = add i64 %v22, 4
  %v433 = icmp slt i64 %v432, %v20
  br i1 %v433, label %loop6, label %after7
after7:
  %v434 = phi i64 [%v14, %group2], [%v432, %after10]
  %v435 = icmp slt i64 %v20, %v16
  br i1 %v435, label %enter17, label %after19
enter17:
  br label %loop18
loop18:
  %v436 = phi i64 [%v20, %enter17], [%v667, %after22]
  %v437 = mul i64 3, %v436
  %v438 = add i64 2, %v437
  %v439 = getelementptr inbounds float, ptr %v3, i64 %v438
  %v440 = load float, ptr %v439, align 4
  %v441 = add i64 1, %v437
  %v442 = getelementptr inbounds float, ptr %v3, i64 %v441
  %v443 = load float, ptr %v442, align 4
  %v444 = getelementptr inbounds float, ptr %v3, i64 %v437
  %v445 = load float, ptr %v444, align 4
  br i1 %v62, label %enter20, label %after22
enter20:
  %v470 = insertelement <8 x float> poison, float %v440, i64 0
  %v471 = shufflevector <8 x float> %v470, <8 x float> poison, <8 x i32> zeroinitializer
  %v477 = insertelement <8 x float> poison, float %v443, i64 0
  %v478 = shufflevector <8 x float> %v477, <8 x float> poison, <8 x i32> zeroinitializer
  %v483 = insertelement <8 x float> poison, float %v445, i64 0
  %v484 = shufflevector <8 x float> %v483, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop21
loop21:
  %v446 = phi i64 [0, %enter20], [%v448, %after28]
  %v447 = phi float [0x7FF0000000000000, %enter20], [%v662, %after28]
  %v448 = add i64 %v446, 4096
  %v449 = call i64 @llvm.smin.i64(i64 %v448, i64 %v11)
  %v450 = sub i64 %v449, %v446
  %v452 = sub i64 %v450, 31
  %v453 = icmp slt i64 0, %v452
  br i1 %v453, label %enter23, label %after25
enter23:
  br label %loop24
loop24:
  %v454 = phi i64 [0, %enter23], [%v584, %loop24]
  %v455 = phi <8 x float> [splat (float 0x7FF0000000000000), %enter23], [%v493, %loop24]
  %v456 = phi <8 x float> [splat (float 0x7FF0000000000000), %enter23], [%v523, %loop24]
  %v457 = phi <8 x float> [splat (float 0x7FF0000000000000), %enter23], [%v553, %loop24]
  %v458 = phi <8 x float> [splat (float 0x7FF0000000000000), %enter23], [%v583, %loop24]
  %v459 = add i64 %v446, %v454
  %v460 = mul i64 %v459, 3
  %v461 = add i64 2, %v460
  %v462 = getelementptr inbounds float, ptr %v1, i64 %v460
  %v463 = load <8 x float>, ptr %v462, align 4
  %v464 = getelementptr float, ptr %v462, i64 8
  %v465 = load <8 x float>, ptr %v464, align 4
  %v466 = getelementptr float, ptr %v462, i64 16
  %v467 = load <8 x float>, ptr %v466, align 4
  %v468 = shufflevector <8 x float> %v463, <8 x float> %v465, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v469 = shufflevector <8 x float> %v468, <8 x float> %v467, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v472 = fsub <8 x float> %v471, %v469
  %v473 = fmul <8 x float> %v472, %v472
  %v474 = add i64 1, %v460
  %v475 = shufflevector <8 x float> %v463, <8 x float> %v465, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v476 = shufflevector <8 x float> %v475, <8 x float> %v467, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v479 = fsub <8 x float> %v478, %v476
  %v480 = fmul <8 x float> %v479, %v479
  %v481 = shufflevector <8 x float> %v463, <8 x float> %v465, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v482 = shufflevector <8 x float> %v481, <8 x float> %v467, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v485 = fsub <8 x float> %v484, %v482
  %v486 = fmul <8 x float> %v485, %v485
  %v487 = fadd <8 x float> %v486, %v473
  %v488 = fadd <8 x float> %v487, %v480
  %v489 = fadd <8 x float> splat (float 0x0000000000000000), %v488
  %v490 = fcmp olt <8 x float> %v455, %v489
  %v491 = select <8 x i1> %v490, <8 x float> %v455, <8 x float> %v489
  %v492 = fcmp uno <8 x float> %v455, %v455
  %v493 = select <8 x i1> %v492, <8 x float> %v455, <8 x float> %v491
  %v494 = add i64 %v454, 8
  %v495 = add i64 %v446, %v494
  %v496 = mul i64 %v495, 3
  %v497 = add i64 2, %v496
  %v498 = getelementptr inbounds float, ptr %v1, i64 %v496
  %v499 = load <8 x float>, ptr %v498, align 4
  %v500 = getelementptr float, ptr %v498, i64 8
  %v501 = load <8 x float>, ptr %v500, align 4
  %v502 = getelementptr float, ptr %v498, i64 16
  %v503 = load <8 x float>, ptr %v502, align 4
  %v504 = shufflevector <8 x float> %v499, <8 x float> %v501, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v505 = shufflevector <8 x float> %v504, <8 x float> %v503, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v506 = fsub <8 x float> %v471, %v505
  %v507 = fmul <8 x float> %v506, %v506
  %v508 = add i64 1, %v496
  %v509 = shufflevector <8 x float> %v499, <8 x float> %v501, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v510 = shufflevector <8 x float> %v509, <8 x float> %v503, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v511 = fsub <8 x float> %v478, %v510
  %v512 = fmul <8 x float> %v511, %v511
  %v513 = shufflevector <8 x float> %v499, <8 x float> %v501, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v514 = shufflevector <8 x float> %v513, <8 x float> %v503, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v515 = fsub <8 x float> %v484, %v514
  %v516 = fmul <8 x float> %v515, %v515
  %v517 = fadd <8 x float> %v516, %v507
  %v518 = fadd <8 x float> %v517, %v512
  %v519 = fadd <8 x float> splat (float 0x0000000000000000), %v518
  %v520 = fcmp olt <8 x float> %v456, %v519
  %v521 = select <8 x i1> %v520, <8 x float> %v456, <8 x float> %v519
  %v522 = fcmp uno <8 x float> %v456, %v456
  %v523 = select <8 x i1> %v522, <8 x float> %v456, <8 x float> %v521
  %v524 = add i64 %v454, 16
  %v525 = add i64 %v446, %v524
  %v526 = mul i64 %v525, 3
  %v527 = add i64 2, %v526
  %v528 = getelementptr inbounds float, ptr %v1, i64 %v526
  %v529 = load <8 x float>, ptr %v528, align 4
  %v530 = getelementptr float, ptr %v528, i64 8
  %v531 = load <8 x float>, ptr %v530, align 4
  %v532 = getelementptr float, ptr %v528, i64 16
  %v533 = load <8 x float>, ptr %v532, align 4
  %v534 = shufflevector <8 x float> %v529, <8 x float> %v531, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v535 = shufflevector <8 x float> %v534, <8 x float> %v533, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v536 = fsub <8 x float> %v471, %v535
  %v537 = fmul <8 x float> %v536, %v536
  %v538 = add i64 1, %v526
  %v539 = shufflevector <8 x float> %v529, <8 x float> %v531, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v540 = shufflevector <8 x float> %v539, <8 x float> %v533, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v541 = fsub <8 x float> %v478, %v540
  %v542 = fmul <8 x float> %v541, %v541
  %v543 = shufflevector <8 x float> %v529, <8 x float> %v531, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v544 = shufflevector <8 x float> %v543, <8 x float> %v533, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v545 = fsub <8 x float> %v484, %v544
  %v546 = fmul <8 x float> %v545, %v545
  %v547 = fadd <8 x float> %v546, %v537
  %v548 = fadd <8 x float> %v547, %v542
  %v549 = fadd <8 x float> splat (float 0x0000000000000000), %v548
  %v550 = fcmp olt <8 x float> %v457, %v549
  %v551 = select <8 x i1> %v550, <8 x float> %v457, <8 x float> %v549
  %v552 = fcmp uno <8 x float> %v457, %v457
  %v553 = select <8 x i1> %v552, <8 x float> %v457, <8 x float> %v551
  %v554 = add i64 %v454, 24
  %v555 = add i64 %v446, %v554
  %v556 = mul i64 %v555, 3
  %v557 = add i64 2, %v556
  %v558 = getelementptr inbounds float, ptr %v1, i64 %v556
  %v559 = load <8 x float>, ptr %v558, align 4
  %v560 = getelementptr float, ptr %v558, i64 8
  %v561 = load <8 x float>, ptr %v560, align 4
  %v562 = getelementptr float, ptr %v558, i64 16
  %v563 = load <8 x float>, ptr %v562, align 4
  %v564 = shufflevector <8 x float> %v559, <8 x float> %v561, <8 x i32> <i32 2, i32 5, i32 8, i32 11, i32 14, i32 poison, i32 poison, i32 poison>
  %v565 = shufflevector <8 x float> %v564, <8 x float> %v563, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 9, i32 12, i32 15>
  %v566 = fsub <8 x float> %v471, %v565
  %v567 = fmul <8 x float> %v566, %v566
  %v568 = add i64 1, %v556
  %v569 = shufflevector <8 x float> %v559, <8 x float> %v561, <8 x i32> <i32 1, i32 4, i32 7, i32 10, i32 13, i32 poison, i32 poison, i32 poison>
  %v570 = shufflevector <8 x float> %v569, <8 x float> %v563, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 8, i32 11, i32 14>
  %v571 = fsub <8 x float> %v478, %v570
  %v572 = fmul <8 x float> %v571, %v571
  %v573 = shufflevector <8 x float> %v559, <8 x float> %v561, <8 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v574 = shufflevector <8 x float> %v573, <8 x float> %v563, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 10, i32 13>
  %v575 = fsub <8 x float> %v484, %v574
  %v576 = fmul <8 x float> %v575, %v575
  %v577 = fadd <8 x float> %v576, %v567
  %v578 = fadd <8 x float> %v577, %v572
  %v579 = fadd <8 x float> splat (float 0x0000000000000000), %v578
  %v580 = fcmp olt <8 x float> %v458, %v579
  %v581 = select <8 x i1> %v580, <8 x float> %v458, <8 x float> %v579
  %v582 = fcmp uno <8 x float> %v458, %v458
  %v583 = select <8 x i1> %v582, <8 x float> %v458, <8 x float> %v581
  %v584 = add i64 %v454, 32
  %v585 = icmp slt i64 %v584, %v452
  br i1 %v585, label %loop24, label %after25
after25:
  %v586 = phi <8 x float> [splat (float 0x7FF0000000000000), %loop21], [%v493, %loop24]
  %v587 = phi <8 x float> [splat (float 0x7FF0000000000000), %loop21], [%v523, %loop24]
  %v588 = phi <8 x float> [splat (float 0x7FF0000000000000), %loop21], [%v553, %loop24]
  %v589 = phi <8 x float> [splat (float 0x7FF0000000000000), %loop21], [%v583, %loop24]
  %v590 = phi i64 [0, %loop21], [%v584, %loop24]
  store <8 x float> %v586, ptr %v451, align 32
  store <8 x float> %v587, ptr %v591, align 32
  store <8 x float> %v588, ptr %v592, align 32
  store <8 x float> %v589, ptr %v593, align 32
  %v594 = icmp slt i64 %v590, %v450
  br i1 %v594, label %enter26, label %after28
enter26:
  br label %loop27
loop27:
  %v595 = phi i64 [%v590, %enter26], [%v622, %loop27]
  %v596 = and i64 %v595, 31
  %v597 = add i64 %v446, %v595
  %v598 = mul i64 3, %v597
  %v599 = add i64 2, %v598
  %v600 = getelementptr inbounds float, ptr %v1, i64 %v599
  %v601 = load float, ptr %v600, align 4
  %v602 = fsub float %v440, %v601
  %v603 = fmul float %v602, %v602
  %v604 = add i64 1, %v598
  %v605 = getelementptr inbounds float, ptr %v1, i64 %v604
  %v606 = load float, ptr %v605, align 4
  %v607 = fsub float %v443, %v606
  %v608 = fmul float %v607, %v607
  %v609 = getelementptr inbounds float, ptr %v1, i64 %v598
  %v610 = load float, ptr %v609, align 4
  %v611 = fsub float %v445, %v610
  %v612 = fmul float %v611, %v611
  %v613 = fadd float %v612, %v603
  %v614 = fadd float %v613, %v608
  %v615 = fadd float 0x0000000000000000, %v614
  %v616 = getelementptr inbounds float, ptr %v451, i64 %v596
  %v617 = load float, ptr %v616, align 4
  %v618 = fcmp olt float %v617, %v615
  %v619 = select i1 %v618, float %v617, float %v615
  %v620 = fcmp uno float %v617, %v617
  %v621 = select i1 %v620, float %v617, float %v619
  store float %v621, ptr %v616, align 4
  %v622 = add i64 %v595, 1
  %v623 = icmp slt i64 %v622, %v450
  br i1 %v623, label %loop27, label %after28
after28:
  %v624 = phi i64 [%v590, %after25], [%v622, %loop27]
  %v625 = load <8 x float>, ptr %v451, align 32
  %v626 = load <8 x float>, ptr %v591, align 32
  %v627 = load <8 x float>, ptr %v592, align 32
  %v628 = load <8 x float>, ptr %v593, align 32
  %v629 = fcmp olt <8 x float> %v625, %v627
  %v630 = select <8 x i1> %v629, <8 x float> %v625, <8 x float> %v627
  %v631 = fcmp uno <8 x float> %v625, %v625
  %v632 = select <8 x i1> %v631, <8 x float> %v625, <8 x float> %v630
  %v633 = fcmp olt <8 x float> %v626, %v628
  %v634 = select <8 x i1> %v633, <8 x float> %v626, <8 x float> %v628
  %v635 = fcmp uno <8 x float> %v626, %v626
  %v636 = select <8 x i1> %v635, <8 x float> %v626, <8 x float> %v634
  %v637 = fcmp olt <8 x float> %v632, %v636
  %v638 = select <8 x i1> %v637, <8 x float> %v632, <8 x float> %v636
  %v639 = fcmp uno <8 x float> %v632, %v632
  %v640 = select <8 x i1> %v639, <8 x float> %v632, <8 x float> %v638
  %v641 = shufflevector <8 x float> %v640, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v642 = shufflevector <8 x float> %v640, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v643 = fcmp olt <4 x float> %v641, %v642
  %v644 = select <4 x i1> %v643, <4 x float> %v641, <4 x float> %v642
  %v645 = fcmp uno <4 x float> %v641, %v641
  %v646 = select <4 x i1> %v645, <4 x float> %v641, <4 x float> %v644
  %v647 = shufflevector <4 x float> %v646, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v648 = shufflevector <4 x float> %v646, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v649 = fcmp olt <2 x float> %v647, %v648
  %v650 = select <2 x i1> %v649, <2 x float> %v647, <2 x float> %v648
  %v651 = fcmp uno <2 x float> %v647, %v647
  %v652 = select <2 x i1> %v651, <2 x float> %v647, <2 x float> %v650
  %v653 = extractelement <2 x float> %v652, i64 0
  %v654 = extractelement <2 x float> %v652, i64 1
  %v655 = fcmp olt float %v653, %v654
  %v656 = select i1 %v655, float %v653, float %v654
  %v657 = fcmp uno float %v653, %v653
  %v658 = select i1 %v657, float %v653, float %v656
  %v659 = fcmp olt float %v447, %v658
  %v660 = select i1 %v659, float %v447, float %v658
  %v661 = fcmp uno float %v447, %v447
  %v662 = select i1 %v661, float %v447, float %v660
  %v663 = icmp slt i64 %v448, %v11
  br i1 %v663, label %loop21, label %after22
after22:
  %v664 = phi float [0x7FF0000000000000, %loop18], [%v662, %after28]
  %v665 = phi i64 [0, %loop18], [%v448, %after28]
  %v666 = getelementptr inbounds float, ptr %v5, i64 %v436
  store float %v664, ptr %v666, align 4
  %v667 = add i64 %v436, 1
  %v668 = icmp slt i64 %v667, %v16
  br i1 %v668, label %loop18, label %after19
after19:
  %v669 = phi i64 [%v20, %after7], [%v667, %after22]
  br label %next4
next4:
  %v670 = add i64 %v13, 1
  %v671 = icmp slt i64 %v670, %end
  br i1 %v671, label %group2, label %finished3
finished3:
  ret void
}
