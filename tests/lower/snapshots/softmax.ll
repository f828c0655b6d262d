target triple = "x86_64-unknown-linux-gnu"
define void @max_sum_div(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v27 = alloca [32 x float], align 64
  %v150 = alloca [32 x float], align 64
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load i64, ptr %v4, align 8
  %v6 = getelementptr inbounds i64, ptr %slots, i64 3
  %v7 = load i64, ptr %v6, align 8
  %v8 = getelementptr inbounds i64, ptr %slots, i64 4
  %v9 = load i64, ptr %v8, align 8
  %v10 = getelementptr inbounds i64, ptr %slots, i64 5
  %v11 = load i64, ptr %v10, align 8
  %v12 = icmp slt i64 %begin, %end
  br i1 %v12, label %groups1, label %finished3
groups1:
  %v17 = icmp ne i64 %v11, 0
  %v21 = icmp slt i64 0, %v9
  %v77 = getelementptr inbounds float, ptr %v27, i64 8
  %v78 = getelementptr inbounds float, ptr %v27, i64 16
  %v79 = getelementptr inbounds float, ptr %v27, i64 24
  %v151 = getelementptr inbounds float, ptr %v150, i64 8
  %v152 = getelementptr inbounds float, ptr %v150, i64 16
  %v153 = getelementptr inbounds float, ptr %v150, i64 24
  %v261 = icmp sgt i64 %v9, 0
  %v262 = sub i64 %v9, 7
  %v263 = icmp slt i64 0, %v262
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v289, %next4]
  %v14 = mul i64 %v5, %v13
  %v15 = add i64 %v14, %v5
  %v16 = call i64 @llvm.smin.i64(i64 %v15, i64 %v7)
  %v18 = icmp slt i64 %v14, %v16
  br i1 %v18, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v19 = phi i64 [%v14, %enter5], [%v286, %after30]
  %v20 = mul i64 %v9, %v19
  br i1 %v21, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v22 = phi i64 [0, %enter8], [%v24, %after16]
  %v23 = phi float [0xFFF0000000000000, %enter8], [%v141, %after16]
  %v24 = add i64 %v22, 4096
  %v25 = call i64 @llvm.smin.i64(i64 %v24, i64 %v9)
  %v26 = sub i64 %v25, %v22
  %v28 = sub i64 %v26, 31
  %v29 = icmp slt i64 0, %v28
  br i1 %v29, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v30 = phi i64 [0, %enter11], [%v70, %loop12]
  %v31 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter11], [%v42, %loop12]
  %v32 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter11], [%v51, %loop12]
  %v33 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter11], [%v60, %loop12]
  %v34 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter11], [%v69, %loop12]
  %v35 = add i64 %v22, %v30
  %v36 = add i64 %v20, %v35
  %v37 = getelementptr inbounds float, ptr %v1, i64 %v36
  %v38 = load <8 x float>, ptr %v37, align 4
  %v39 = fcmp ogt <8 x float> %v31, %v38
  %v40 = select <8 x i1> %v39, <8 x float> %v31, <8 x float> %v38
  %v41 = fcmp uno <8 x float> %v31, %v31
  %v42 = select <8 x i1> %v41, <8 x float> %v31, <8 x float> %v40
  %v43 = add i64 %v30, 8
  %v44 = add i64 %v22, %v43
  %v45 = add i64 %v20, %v44
  %v46 = getelementptr inbounds float, ptr %v1, i64 %v45
  %v47 = load <8 x float>, ptr %v46, align 4
  %v48 = fcmp ogt <8 x float> %v32, %v47
  %v49 = select <8 x i1> %v48, <8 x float> %v32, <8 x float> %v47
  %v50 = fcmp uno <8 x float> %v32, %v32
  %v51 = select <8 x i1> %v50, <8 x float> %v32, <8 x float> %v49
  %v52 = add i64 %v30, 16
  %v53 = add i64 %v22, %v52
  %v54 = add i64 %v20, %v53
  %v55 = getelementptr inbounds float, ptr %v1, i64 %v54
  %v56 = load <8 x float>, ptr %v55, align 4
  %v57 = fcmp ogt <8 x float> %v33, %v56
  %v58 = select <8 x i1> %v57, <8 x float> %v33, <8 x float> %v56
  %v59 = fcmp uno <8 x float> %v33, %v33
  %v60 = select <8 x i1> %v59, <8 x float> %v33, <8 x float> %v58
  %v61 = add i64 %v30, 24
  %v62 = add i64 %v22, %v61
  %v63 = add i64 %v20, %v62
  %v64 = getelementptr inbounds float, ptr %v1, i64 %v63
  %v65 = load <8 x float>, ptr %v64, align 4
  %v66 = fcmp ogt <8 x float> %v34, %v65
  %v67 = select <8 x i1> %v66, <8 x float> %v34, <8 x float> %v65
  %v68 = fcmp uno <8 x float> %v34, %v34
  %v69 = select <8 x i1> %v68, <8 x float> %v34, <8 x float> %v67
  %v70 = add i64 %v30, 32
  %v71 = icmp slt i64 %v70, %v28
  br i1 %v71, label %loop12, label %after13
after13:
  %v72 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop9], [%v42, %loop12]
  %v73 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop9], [%v51, %loop12]
  %v74 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop9], [%v60, %loop12]
  %v75 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop9], [%v69, %loop12]
  %v76 = phi i64 [0, %loop9], [%v70, %loop12]
  store <8 x float> %v72, ptr %v27, align 32
  store <8 x float> %v73, ptr %v77, align 32
  store <8 x float> %v74, ptr %v78, align 32
  store <8 x float> %v75, ptr %v79, align 32
  %v80 = icmp slt i64 %v76, %v26
  br i1 %v80, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v81 = phi i64 [%v76, %enter14], [%v101, %loop15]
  %v82 = and i64 %v81, 31
  %v83 = sub i64 %v26, %v81
  %v84 = call i64 @llvm.umin.i64(i64 %v83, i64 8)
  %v85 = trunc i64 %v84 to i32
  %v86 = insertelement <8 x i32> poison, i32 %v85, i64 0
  %v87 = shufflevector <8 x i32> %v86, <8 x i32> poison, <8 x i32> zeroinitializer
  %v88 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v87
  %v89 = icmp sge i64 %v83, 8
  %v90 = add i64 %v22, %v81
  %v91 = add i64 %v20, %v90
  %v92 = getelementptr inbounds float, ptr %v1, i64 %v91
  %v93 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v92, i32 4, <8 x i1> %v88, <8 x float> zeroinitializer)
  %v94 = getelementptr inbounds float, ptr %v27, i64 %v82
  %v95 = load <8 x float>, ptr %v94, align 32
  %v96 = fcmp ogt <8 x float> %v95, %v93
  %v97 = select <8 x i1> %v96, <8 x float> %v95, <8 x float> %v93
  %v98 = fcmp uno <8 x float> %v95, %v95
  %v99 = select <8 x i1> %v98, <8 x float> %v95, <8 x float> %v97
  %v100 = select <8 x i1> %v88, <8 x float> %v99, <8 x float> %v95
  store <8 x float> %v100, ptr %v94, align 32
  %v101 = add i64 %v81, 8
  %v102 = icmp slt i64 %v101, %v26
  br i1 %v102, label %loop15, label %after16
after16:
  %v103 = phi i64 [%v76, %after13], [%v101, %loop15]
  %v104 = load <8 x float>, ptr %v27, align 32
  %v105 = load <8 x float>, ptr %v77, align 32
  %v106 = load <8 x float>, ptr %v78, align 32
  %v107 = load <8 x float>, ptr %v79, align 32
  %v108 = fcmp ogt <8 x float> %v104, %v106
  %v109 = select <8 x i1> %v108, <8 x float> %v104, <8 x float> %v106
  %v110 = fcmp uno <8 x float> %v104, %v104
  %v111 = select <8 x i1> %v110, <8 x float> %v104, <8 x float> %v109
  %v112 = fcmp ogt <8 x float> %v105, %v107
  %v113 = select <8 x i1> %v112, <8 x float> %v105, <8 x float> %v107
  %v114 = fcmp uno <8 x float> %v105, %v105
  %v115 = select <8 x i1> %v114, <8 x float> %v105, <8 x float> %v113
  %v116 = fcmp ogt <8 x float> %v111, %v115
  %v117 = select <8 x i1> %v116, <8 x float> %v111, <8 x float> %v115
  %v118 = fcmp uno <8 x float> %v111, %v111
  %v119 = select <8 x i1> %v118, <8 x float> %v111, <8 x float> %v117
  %v120 = shufflevector <8 x float> %v119, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v121 = shufflevector <8 x float> %v119, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v122 = fcmp ogt <4 x float> %v120, %v121
  %v123 = select <4 x i1> %v122, <4 x float> %v120, <4 x float> %v121
  %v124 = fcmp uno <4 x float> %v120, %v120
  %v125 = select <4 x i1> %v124, <4 x float> %v120, <4 x float> %v123
  %v126 = shufflevector <4 x float> %v125, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v127 = shufflevector <4 x float> %v125, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v128 = fcmp ogt <2 x float> %v126, %v127
  %v129 = select <2 x i1> %v128, <2 x float> %v126, <2 x float> %v127
  %v130 = fcmp uno <2 x float> %v126, %v126
  %v131 = select <2 x i1> %v130, <2 x float> %v126, <2 x float> %v129
  %v132 = extractelement <2 x float> %v131, i64 0
  %v133 = extractelement <2 x float> %v131, i64 1
  %v134 = fcmp ogt float %v132, %v133
  %v135 = select i1 %v134, float %v132, float %v133
  %v136 = fcmp uno float %v132, %v132
  %v137 = select i1 %v136, float %v132, float %v135
  %v138 = fcmp ogt float %v23, %v137
  %v139 = select i1 %v138, float %v23, float %v137
  %v140 = fcmp uno float %v23, %v23
  %v141 = select i1 %v140, float %v23, float %v139
  %v142 = icmp slt i64 %v24, %v9
  br i1 %v142, label %loop9, label %after10
after10:
  %v143 = phi float [0xFFF0000000000000, %loop6], [%v141, %after16]
  %v144 = phi i64 [0, %loop6], [%v24, %after16]
  br i1 %v21, label %enter17, label %after19
enter17:
  %v162 = insertelement <8 x float> poison, float %v143, i64 0
  %v163 = shufflevector <8 x float> %v162, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop18
loop18:
  %v145 = phi i64 [0, %enter17], [%v147, %after25]
  %v146 = phi float [0x0000000000000000, %enter17], [%v257, %after25]
  %v147 = add i64 %v145, 4096
  %v148 = call i64 @llvm.smin.i64(i64 %v147, i64 %v9)
  %v149 = sub i64 %v148, %v145
  store <8 x float> splat (float 0x0000000000000000), ptr %v150, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v151, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v152, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v153, align 32
  %v154 = sub i64 %v149, 7
  %v155 = icmp slt i64 0, %v154
  br i1 %v155, label %enter20, label %after22
enter20:
  br label %loop21
loop21:
  %v156 = phi i64 [0, %enter20], [%v192, %loop21]
  %v157 = and i64 %v156, 31
  %v158 = add i64 %v145, %v156
  %v159 = add i64 %v20, %v158
  %v160 = getelementptr inbounds float, ptr %v1, i64 %v159
  %v161 = load <8 x float>, ptr %v160, align 4
  %v164 = fsub <8 x float> %v161, %v163
  %v165 = fcmp ogt <8 x float> %v164, splat (float 0x4056400000000000)
  %v166 = select <8 x i1> %v165, <8 x float> splat (float 0x4056400000000000), <8 x float> %v164
  %v167 = fcmp olt <8 x float> %v166, splat (float 0xC05A000000000000)
  %v168 = select <8 x i1> %v167, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v166
  %v169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v170 = fsub <8 x float> %v169, splat (float 0x4168000FC0000000)
  %v171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v170, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v168)
  %v172 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v170, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v171)
  %v173 = fmul <8 x float> %v172, %v172
  %v174 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v173, <8 x float> splat (float 0x3FA55585A0000000))
  %v175 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v174, <8 x float> %v173, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v176 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v173, <8 x float> splat (float 0x3FC55548C0000000))
  %v177 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v176, <8 x float> %v172, <8 x float> %v175)
  %v178 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v173, <8 x float> %v177, <8 x float> %v172)
  %v179 = bitcast <8 x float> %v169 to <8 x i32>
  %v180 = shl <8 x i32> %v179, splat (i32 23)
  %v181 = fcmp olt <8 x float> %v168, splat (float 0xC050000000000000)
  %v182 = select <8 x i1> %v181, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v183 = add <8 x i32> %v180, %v182
  %v184 = bitcast <8 x i32> %v183 to <8 x float>
  %v185 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v178, <8 x float> %v184, <8 x float> %v184)
  %v186 = select <8 x i1> %v181, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v187 = fmul <8 x float> %v185, %v186
  %v188 = getelementptr inbounds float, ptr %v3, i64 %v159
  store <8 x float> %v187, ptr %v188, align 4
  %v189 = getelementptr inbounds float, ptr %v150, i64 %v157
  %v190 = load <8 x float>, ptr %v189, align 32
  %v191 = fadd <8 x float> %v190, %v187
  store <8 x float> %v191, ptr %v189, align 32
  %v192 = add i64 %v156, 8
  %v193 = icmp slt i64 %v192, %v154
  br i1 %v193, label %loop21, label %after22
after22:
  %v194 = phi i64 [0, %loop18], [%v192, %loop21]
  %v195 = icmp slt i64 %v194, %v149
  br i1 %v195, label %enter23, label %after25
enter23:
  br label %loop24
loop24:
  %v196 = phi i64 [%v194, %enter23], [%v238, %stored28]
  %v197 = and i64 %v196, 31
  %v198 = sub i64 %v149, %v196
  %v199 = call i64 @llvm.umin.i64(i64 %v198, i64 8)
  %v200 = trunc i64 %v199 to i32
  %v201 = insertelement <8 x i32> poison, i32 %v200, i64 0
  %v202 = shufflevector <8 x i32> %v201, <8 x i32> poison, <8 x i32> zeroinitializer
  %v203 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v202
  %v204 = icmp sge i64 %v198, 8
  %v205 = add i64 %v145, %v196
  %v206 = add i64 %v20, %v205
  %v207 = getelementptr inbounds float, ptr %v1, i64 %v206
  %v208 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v207, i32 4, <8 x i1> %v203, <8 x float> zeroinitializer)
  %v209 = fsub <8 x float> %v208, %v163
  %v210 = fcmp ogt <8 x float> %v209, splat (float 0x4056400000000000)
  %v211 = select <8 x i1> %v210, <8 x float> splat (float 0x4056400000000000), <8 x float> %v209
  %v212 = fcmp olt <8 x float> %v211, splat (float 0xC05A000000000000)
  %v213 = select <8 x i1> %v212, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v211
  %v214 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v213, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v215 = fsub <8 x float> %v214, splat (float 0x4168000FC0000000)
  %v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v215, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v213)
  %v217 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v215, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v216)
  %v218 = fmul <8 x float> %v217, %v217
  %v219 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v218, <8 x float> splat (float 0x3FA55585A0000000))
  %v220 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v219, <8 x float> %v218, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v221 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v218, <8 x float> splat (float 0x3FC55548C0000000))
  %v222 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v221, <8 x float> %v217, <8 x float> %v220)
  %v223 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v218, <8 x float> %v222, <8 x float> %v217)
  %v224 = bitcast <8 x float> %v214 to <8 x i32>
  %v225 = shl <8 x i32> %v224, splat (i32 23)
  %v226 = fcmp olt <8 x float> %v213, splat (float 0xC050000000000000)
  %v227 = select <8 x i1> %v226, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v228 = add <8 x i32> %v225, %v227
  %v229 = bitcast <8 x i32> %v228 to <8 x float>
  %v230 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v223, <8 x float> %v229, <8 x float> %v229)
  %v231 = select <8 x i1> %v226, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v232 = fmul <8 x float> %v230, %v231
  %v233 = getelementptr inbounds float, ptr %v3, i64 %v206
  br i1 %v204, label %this26, label %that27
this26:
  store <8 x float> %v232, ptr %v233, align 4
  br label %stored28
that27:
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v232, ptr %v233, i32 4, <8 x i1> %v203)
  br label %stored28
stored28:
  %v234 = getelementptr inbounds float, ptr %v150, i64 %v197
  %v235 = load <8 x float>, ptr %v234, align 32
  %v236 = fadd <8 x float> %v235, %v232
  %v237 = select <8 x i1> %v203, <8 x float> %v236, <8 x float> %v235
  store <8 x float> %v237, ptr %v234, align 32
  %v238 = add i64 %v196, 8
  %v239 = icmp slt i64 %v238, %v149
  br i1 %v239, label %loop24, label %after25
after25:
  %v240 = phi i64 [%v194, %after22], [%v238, %stored28]
  %v241 = load <8 x float>, ptr %v150, align 32
  %v242 = load <8 x float>, ptr %v151, align 32
  %v243 = load <8 x float>, ptr %v152, align 32
  %v244 = load <8 x float>, ptr %v153, align 32
  %v245 = fadd <8 x float> %v241, %v243
  %v246 = fadd <8 x float> %v242, %v244
  %v247 = fadd <8 x float> %v245, %v246
  %v248 = shufflevector <8 x float> %v247, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v249 = shufflevector <8 x float> %v247, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v250 = fadd <4 x float> %v248, %v249
  %v251 = shufflevector <4 x float> %v250, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v252 = shufflevector <4 x float> %v250, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v253 = fadd <2 x float> %v251, %v252
  %v254 = extractelement <2 x float> %v253, i64 0
  %v255 = extractelement <2 x float> %v253, i64 1
  %v256 = fadd float %v254, %v255
  %v257 = fadd float %v146, %v256
  %v258 = icmp slt i64 %v147, %v9
  br i1 %v258, label %loop18, label %after19
after19:
  %v259 = phi float [0x0000000000000000, %after10], [%v257, %after25]
  %v260 = phi i64 [0, %after10], [%v147, %after25]
  br i1 %v261, label %lanes29, label %after30
lanes29:
  %v268 = insertelement <8 x float> poison, float %v259, i64 0
  %v269 = shufflevector <8 x float> %v268, <8 x float> poison, <8 x i32> zeroinitializer
  br i1 %v263, label %enter31, label %after33
enter31:
  br label %loop32
loop32:
  %v264 = phi i64 [0, %enter31], [%v271, %loop32]
  %v265 = add i64 %v20, %v264
  %v266 = getelementptr inbounds float, ptr %v3, i64 %v265
  %v267 = load <8 x float>, ptr %v266, align 4
  %v270 = fdiv <8 x float> %v267, %v269
  store <8 x float> %v270, ptr %v266, align 4
  %v271 = add i64 %v264, 8
  %v272 = icmp slt i64 %v271, %v262
  br i1 %v272, label %loop32, label %after33
after33:
  %v273 = phi i64 [0, %lanes29], [%v271, %loop32]
  %v274 = icmp slt i64 %v273, %v9
  br i1 %v274, label %part34, label %after35
part34:
  %v275 = sub i64 %v9, %v273
  %v276 = call i64 @llvm.umin.i64(i64 %v275, i64 8)
  %v277 = trunc i64 %v276 to i32
  %v278 = insertelement <8 x i32> poison, i32 %v277, i64 0
  %v279 = shufflevector <8 x i32> %v278, <8 x i32> poison, <8 x i32> zeroinitializer
  %v280 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v279
  %v281 = icmp sge i64 %v275, 8
  %v282 = add i64 %v20, %v273
  %v283 = getelementptr inbounds float, ptr %v3, i64 %v282
  %v284 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v283, i32 4, <8 x i1> %v280, <8 x float> zeroinitializer)
  %v285 = fdiv <8 x float> %v284, %v269
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v285, ptr %v283, i32 4, <8 x i1> %v280)
  br label %after35
after35:
  br label %after30
after30:
  %v286 = add i64 %v19, 1
  %v287 = icmp slt i64 %v286, %v16
  br i1 %v287, label %loop6, label %after7
after7:
  %v288 = phi i64 [%v14, %group2], [%v286, %after30]
  br label %next4
next4:
  %v289 = add i64 %v13, 1
  %v290 = icmp slt i64 %v289, %end
  br i1 %v290, label %group2, label %finished3
finished3:
  ret void
}
