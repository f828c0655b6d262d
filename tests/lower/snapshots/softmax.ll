target triple = "x86_64-unknown-linux-gnu"
define void @max_sum_div(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v14 = alloca [4096 x float], align 64
  %v22 = alloca [32 x float], align 64
  %v145 = alloca [32 x float], align 64
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
  %v18 = icmp ne i64 %v11, 0
  %v23 = sub i64 %v9, 31
  %v24 = icmp slt i64 0, %v23
  %v69 = getelementptr inbounds float, ptr %v22, i64 8
  %v70 = getelementptr inbounds float, ptr %v22, i64 16
  %v71 = getelementptr inbounds float, ptr %v22, i64 24
  %v132 = fcmp uno float 0xFFF0000000000000, 0xFFF0000000000000
  %v134 = icmp slt i64 0, %v9
  %v146 = getelementptr inbounds float, ptr %v145, i64 8
  %v147 = getelementptr inbounds float, ptr %v145, i64 16
  %v148 = getelementptr inbounds float, ptr %v145, i64 24
  %v267 = icmp sgt i64 %v9, 0
  %v293 = sub i64 %v9, 7
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v314, %next4]
  %v15 = mul i64 %v5, %v13
  %v16 = add i64 %v15, %v5
  %v17 = call i64 @llvm.smin.i64(i64 %v16, i64 %v7)
  %v19 = icmp slt i64 %v15, %v17
  br i1 %v19, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v20 = phi i64 [%v15, %enter5], [%v310, %after30]
  %v21 = mul i64 %v9, %v20
  br i1 %v24, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v25 = phi i64 [0, %enter8], [%v62, %loop9]
  %v26 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v36, %loop9]
  %v27 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v44, %loop9]
  %v28 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v52, %loop9]
  %v29 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v60, %loop9]
  %v30 = add i64 %v21, %v25
  %v31 = getelementptr inbounds float, ptr %v1, i64 %v30
  %v32 = load <8 x float>, ptr %v31, align 4
  %v33 = fcmp ogt <8 x float> %v26, %v32
  %v34 = select <8 x i1> %v33, <8 x float> %v26, <8 x float> %v32
  %v35 = fcmp uno <8 x float> %v26, %v26
  %v36 = select <8 x i1> %v35, <8 x float> %v26, <8 x float> %v34
  %v37 = add i64 %v25, 8
  %v38 = add i64 %v21, %v37
  %v39 = getelementptr inbounds float, ptr %v1, i64 %v38
  %v40 = load <8 x float>, ptr %v39, align 4
  %v41 = fcmp ogt <8 x float> %v27, %v40
  %v42 = select <8 x i1> %v41, <8 x float> %v27, <8 x float> %v40
  %v43 = fcmp uno <8 x float> %v27, %v27
  %v44 = select <8 x i1> %v43, <8 x float> %v27, <8 x float> %v42
  %v45 = add i64 %v25, 16
  %v46 = add i64 %v21, %v45
  %v47 = getelementptr inbounds float, ptr %v1, i64 %v46
  %v48 = load <8 x float>, ptr %v47, align 4
  %v49 = fcmp ogt <8 x float> %v28, %v48
  %v50 = select <8 x i1> %v49, <8 x float> %v28, <8 x float> %v48
  %v51 = fcmp uno <8 x float> %v28, %v28
  %v52 = select <8 x i1> %v51, <8 x float> %v28, <8 x float> %v50
  %v53 = add i64 %v25, 24
  %v54 = add i64 %v21, %v53
  %v55 = getelementptr inbounds float, ptr %v1, i64 %v54
  %v56 = load <8 x float>, ptr %v55, align 4
  %v57 = fcmp ogt <8 x float> %v29, %v56
  %v58 = select <8 x i1> %v57, <8 x float> %v29, <8 x float> %v56
  %v59 = fcmp uno <8 x float> %v29, %v29
  %v60 = select <8 x i1> %v59, <8 x float> %v29, <8 x float> %v58
  %v61 = add i64 %v25, 32
  %v62 = call i64 @llvm.fshl.i64(i64 %v61, i64 %v61, i64 0)
  %v63 = icmp slt i64 %v62, %v23
  br i1 %v63, label %loop9, label %after10
after10:
  %v64 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v36, %loop9]
  %v65 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v44, %loop9]
  %v66 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v52, %loop9]
  %v67 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v60, %loop9]
  %v68 = phi i64 [0, %loop6], [%v62, %loop9]
  store <8 x float> %v64, ptr %v22, align 32
  store <8 x float> %v65, ptr %v69, align 32
  store <8 x float> %v66, ptr %v70, align 32
  store <8 x float> %v67, ptr %v71, align 32
  %v72 = icmp slt i64 %v68, %v9
  br i1 %v72, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v73 = phi i64 [%v68, %enter11], [%v93, %loop12]
  %v74 = and i64 %v73, 31
  %v75 = sub i64 %v9, %v73
  %v76 = call i64 @llvm.umin.i64(i64 %v75, i64 8)
  %v77 = trunc i64 %v76 to i32
  %v78 = insertelement <8 x i32> poison, i32 %v77, i64 0
  %v79 = shufflevector <8 x i32> %v78, <8 x i32> poison, <8 x i32> zeroinitializer
  %v80 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v79
  %v81 = icmp sge i64 %v75, 8
  %v82 = add i64 %v21, %v73
  %v83 = getelementptr inbounds float, ptr %v1, i64 %v82
  %v84 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v83, i32 4, <8 x i1> %v80, <8 x float> zeroinitializer)
  %v85 = getelementptr inbounds float, ptr %v22, i64 %v74
  %v86 = load <8 x float>, ptr %v85, align 32
  %v87 = fcmp ogt <8 x float> %v86, %v84
  %v88 = select <8 x i1> %v87, <8 x float> %v86, <8 x float> %v84
  %v89 = fcmp uno <8 x float> %v86, %v86
  %v90 = select <8 x i1> %v89, <8 x float> %v86, <8 x float> %v88
  %v91 = select <8 x i1> %v80, <8 x float> %v90, <8 x float> %v86
  store <8 x float> %v91, ptr %v85, align 32
  %v92 = add i64 %v73, 8
  %v93 = call i64 @llvm.fshl.i64(i64 %v92, i64 %v92, i64 0)
  %v94 = icmp slt i64 %v93, %v9
  br i1 %v94, label %loop12, label %after13
after13:
  %v95 = phi i64 [%v68, %after10], [%v93, %loop12]
  %v96 = load <8 x float>, ptr %v22, align 32
  %v97 = load <8 x float>, ptr %v69, align 32
  %v98 = load <8 x float>, ptr %v70, align 32
  %v99 = load <8 x float>, ptr %v71, align 32
  %v100 = fcmp ogt <8 x float> %v96, %v98
  %v101 = select <8 x i1> %v100, <8 x float> %v96, <8 x float> %v98
  %v102 = fcmp uno <8 x float> %v96, %v96
  %v103 = select <8 x i1> %v102, <8 x float> %v96, <8 x float> %v101
  %v104 = fcmp ogt <8 x float> %v97, %v99
  %v105 = select <8 x i1> %v104, <8 x float> %v97, <8 x float> %v99
  %v106 = fcmp uno <8 x float> %v97, %v97
  %v107 = select <8 x i1> %v106, <8 x float> %v97, <8 x float> %v105
  %v108 = fcmp ogt <8 x float> %v103, %v107
  %v109 = select <8 x i1> %v108, <8 x float> %v103, <8 x float> %v107
  %v110 = fcmp uno <8 x float> %v103, %v103
  %v111 = select <8 x i1> %v110, <8 x float> %v103, <8 x float> %v109
  %v112 = shufflevector <8 x float> %v111, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v113 = shufflevector <8 x float> %v111, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v114 = fcmp ogt <4 x float> %v112, %v113
  %v115 = select <4 x i1> %v114, <4 x float> %v112, <4 x float> %v113
  %v116 = fcmp uno <4 x float> %v112, %v112
  %v117 = select <4 x i1> %v116, <4 x float> %v112, <4 x float> %v115
  %v118 = shufflevector <4 x float> %v117, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v119 = shufflevector <4 x float> %v117, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v120 = fcmp ogt <2 x float> %v118, %v119
  %v121 = select <2 x i1> %v120, <2 x float> %v118, <2 x float> %v119
  %v122 = fcmp uno <2 x float> %v118, %v118
  %v123 = select <2 x i1> %v122, <2 x float> %v118, <2 x float> %v121
  %v124 = extractelement <2 x float> %v123, i64 0
  %v125 = extractelement <2 x float> %v123, i64 1
  %v126 = fcmp ogt float %v124, %v125
  %v127 = select i1 %v126, float %v124, float %v125
  %v128 = fcmp uno float %v124, %v124
  %v129 = select i1 %v128, float %v124, float %v127
  %v130 = fcmp ogt float 0xFFF0000000000000, %v129
  %v131 = select i1 %v130, float 0xFFF0000000000000, float %v129
  %v133 = select i1 %v132, float 0xFFF0000000000000, float %v131
  br i1 %v134, label %enter14, label %after16
enter14:
  %v157 = insertelement <8 x float> poison, float %v133, i64 0
  %v158 = shufflevector <8 x float> %v157, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop15
loop15:
  %v135 = phi i64 [0, %enter14], [%v262, %after19]
  %v136 = phi float [0x0000000000000000, %enter14], [%v260, %after19]
  %v137 = add i64 %v135, 16384
  %v138 = call i64 @llvm.smin.i64(i64 %v137, i64 %v9)
  %v139 = icmp slt i64 %v135, %v138
  br i1 %v139, label %enter17, label %after19
enter17:
  br label %loop18
loop18:
  %v140 = phi i64 [%v135, %enter17], [%v256, %after25]
  %v141 = phi float [0x0000000000000000, %enter17], [%v254, %after25]
  %v142 = add i64 %v140, 512
  %v143 = call i64 @llvm.smin.i64(i64 %v142, i64 %v138)
  %v144 = sub i64 %v143, %v140
  store <8 x float> splat (float 0x0000000000000000), ptr %v145, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v146, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v147, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v148, align 32
  %v149 = sub i64 %v144, 7
  %v150 = icmp slt i64 0, %v149
  br i1 %v150, label %enter20, label %after22
enter20:
  br label %loop21
loop21:
  %v151 = phi i64 [0, %enter20], [%v188, %loop21]
  %v152 = and i64 %v151, 31
  %v153 = add i64 %v140, %v151
  %v154 = add i64 %v21, %v153
  %v155 = getelementptr inbounds float, ptr %v1, i64 %v154
  %v156 = load <8 x float>, ptr %v155, align 4
  %v159 = fsub <8 x float> %v156, %v158
  %v160 = fcmp ogt <8 x float> %v159, splat (float 0x4056400000000000)
  %v161 = select <8 x i1> %v160, <8 x float> splat (float 0x4056400000000000), <8 x float> %v159
  %v162 = fcmp olt <8 x float> %v161, splat (float 0xC05A000000000000)
  %v163 = select <8 x i1> %v162, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v161
  %v164 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v163, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v165 = fsub <8 x float> %v164, splat (float 0x4168000FC0000000)
  %v166 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v163)
  %v167 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v166)
  %v168 = bitcast <8 x float> %v164 to <8 x i32>
  %v169 = shl <8 x i32> %v168, splat (i32 23)
  %v170 = fmul <8 x float> %v167, %v167
  %v171 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v170, <8 x float> splat (float 0x3FA55585A0000000))
  %v172 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v171, <8 x float> %v170, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v173 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v170, <8 x float> splat (float 0x3FC55548C0000000))
  %v174 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v173, <8 x float> %v167, <8 x float> %v172)
  %v175 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v170, <8 x float> %v174, <8 x float> %v167)
  %v176 = fcmp olt <8 x float> %v163, splat (float 0xC050000000000000)
  %v177 = select <8 x i1> %v176, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v178 = add <8 x i32> %v169, %v177
  %v179 = bitcast <8 x i32> %v178 to <8 x float>
  %v180 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v175, <8 x float> %v179, <8 x float> %v179)
  %v181 = select <8 x i1> %v176, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v182 = fmul <8 x float> %v180, %v181
  %v183 = getelementptr inbounds float, ptr %v14, i64 %v153
  store <8 x float> %v182, ptr %v183, align 4
  %v184 = getelementptr inbounds float, ptr %v145, i64 %v152
  %v185 = load <8 x float>, ptr %v184, align 32
  %v186 = fadd <8 x float> %v185, %v182
  store <8 x float> %v186, ptr %v184, align 32
  %v187 = add i64 %v151, 8
  %v188 = call i64 @llvm.fshl.i64(i64 %v187, i64 %v187, i64 0)
  %v189 = icmp slt i64 %v188, %v149
  br i1 %v189, label %loop21, label %after22
after22:
  %v190 = phi i64 [0, %loop18], [%v188, %loop21]
  %v191 = icmp slt i64 %v190, %v144
  br i1 %v191, label %enter23, label %after25
enter23:
  br label %loop24
loop24:
  %v192 = phi i64 [%v190, %enter23], [%v235, %stored28]
  %v193 = and i64 %v192, 31
  %v194 = sub i64 %v144, %v192
  %v195 = call i64 @llvm.umin.i64(i64 %v194, i64 8)
  %v196 = trunc i64 %v195 to i32
  %v197 = insertelement <8 x i32> poison, i32 %v196, i64 0
  %v198 = shufflevector <8 x i32> %v197, <8 x i32> poison, <8 x i32> zeroinitializer
  %v199 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v198
  %v200 = icmp sge i64 %v194, 8
  %v201 = add i64 %v140, %v192
  %v202 = add i64 %v21, %v201
  %v203 = getelementptr inbounds float, ptr %v1, i64 %v202
  %v204 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v203, i32 4, <8 x i1> %v199, <8 x float> zeroinitializer)
  %v205 = fsub <8 x float> %v204, %v158
  %v206 = fcmp ogt <8 x float> %v205, splat (float 0x4056400000000000)
  %v207 = select <8 x i1> %v206, <8 x float> splat (float 0x4056400000000000), <8 x float> %v205
  %v208 = fcmp olt <8 x float> %v207, splat (float 0xC05A000000000000)
  %v209 = select <8 x i1> %v208, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v207
  %v210 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v209, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v211 = fsub <8 x float> %v210, splat (float 0x4168000FC0000000)
  %v212 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v211, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v209)
  %v213 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v211, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v212)
  %v214 = bitcast <8 x float> %v210 to <8 x i32>
  %v215 = shl <8 x i32> %v214, splat (i32 23)
  %v216 = fmul <8 x float> %v213, %v213
  %v217 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v216, <8 x float> splat (float 0x3FA55585A0000000))
  %v218 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v217, <8 x float> %v216, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v219 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v216, <8 x float> splat (float 0x3FC55548C0000000))
  %v220 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v219, <8 x float> %v213, <8 x float> %v218)
  %v221 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v216, <8 x float> %v220, <8 x float> %v213)
  %v222 = fcmp olt <8 x float> %v209, splat (float 0xC050000000000000)
  %v223 = select <8 x i1> %v222, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v224 = add <8 x i32> %v215, %v223
  %v225 = bitcast <8 x i32> %v224 to <8 x float>
  %v226 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v221, <8 x float> %v225, <8 x float> %v225)
  %v227 = select <8 x i1> %v222, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v228 = fmul <8 x float> %v226, %v227
  %v229 = getelementptr inbounds float, ptr %v14, i64 %v201
  br i1 %v200, label %this26, label %that27
this26:
  store <8 x float> %v228, ptr %v229, align 4
  br label %stored28
that27:
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v228, ptr %v229, i32 4, <8 x i1> %v199)
  br label %stored28
stored28:
  %v230 = getelementptr inbounds float, ptr %v145, i64 %v193
  %v231 = load <8 x float>, ptr %v230, align 32
  %v232 = fadd <8 x float> %v231, %v228
  %v233 = select <8 x i1> %v199, <8 x float> %v232, <8 x float> %v231
  store <8 x float> %v233, ptr %v230, align 32
  %v234 = add i64 %v192, 8
  %v235 = call i64 @llvm.fshl.i64(i64 %v234, i64 %v234, i64 0)
  %v236 = icmp slt i64 %v235, %v144
  br i1 %v236, label %loop24, label %after25
after25:
  %v237 = phi i64 [%v190, %after22], [%v235, %stored28]
  %v238 = load <8 x float>, ptr %v145, align 32
  %v239 = load <8 x float>, ptr %v146, align 32
  %v240 = load <8 x float>, ptr %v147, align 32
  %v241 = load <8 x float>, ptr %v148, align 32
  %v242 = fadd <8 x float> %v238, %v240
  %v243 = fadd <8 x float> %v239, %v241
  %v244 = fadd <8 x float> %v242, %v243
  %v245 = shufflevector <8 x float> %v244, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v246 = shufflevector <8 x float> %v244, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v247 = fadd <4 x float> %v245, %v246
  %v248 = shufflevector <4 x float> %v247, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v249 = shufflevector <4 x float> %v247, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v250 = fadd <2 x float> %v248, %v249
  %v251 = extractelement <2 x float> %v250, i64 0
  %v252 = extractelement <2 x float> %v250, i64 1
  %v253 = fadd float %v251, %v252
  %v254 = fadd float %v141, %v253
  %v255 = add i64 %v140, 512
  %v256 = call i64 @llvm.fshl.i64(i64 %v255, i64 %v255, i64 0)
  %v257 = icmp slt i64 %v256, %v138
  br i1 %v257, label %loop18, label %after19
after19:
  %v258 = phi float [0x0000000000000000, %loop15], [%v254, %after25]
  %v259 = phi i64 [%v135, %loop15], [%v256, %after25]
  %v260 = fadd float %v136, %v258
  %v261 = add i64 %v135, 16384
  %v262 = call i64 @llvm.fshl.i64(i64 %v261, i64 %v261, i64 0)
  %v263 = icmp slt i64 %v262, %v9
  br i1 %v263, label %loop15, label %after16
after16:
  %v264 = phi float [0x0000000000000000, %after13], [%v260, %after19]
  %v265 = phi i64 [0, %after13], [%v262, %after19]
  %v266 = fadd float 0x0000000000000000, %v264
  br i1 %v267, label %lanes29, label %after30
lanes29:
  %v268 = getelementptr inbounds float, ptr %v3, i64 %v21
  %v269 = ptrtoint ptr %v268 to i64
  %v270 = sub i64 0, %v269
  %v271 = and i64 %v270, 31
  %v272 = lshr i64 %v271, 2
  %v273 = call i64 @llvm.smin.i64(i64 %v272, i64 %v9)
  %v274 = select i1 %v18, i64 %v273, i64 0
  %v287 = insertelement <8 x float> poison, float %v266, i64 0
  %v288 = shufflevector <8 x float> %v287, <8 x float> poison, <8 x i32> zeroinitializer
  br label %rounds31
rounds31:
  %v275 = phi i64 [0, %lanes29], [%v308, %after37]
  %v276 = phi i64 [%v274, %lanes29], [%v9, %after37]
  %v277 = icmp slt i64 %v275, %v276
  br i1 %v277, label %part32, label %after33
part32:
  %v278 = sub i64 %v276, %v275
  %v279 = call i64 @llvm.umin.i64(i64 %v278, i64 8)
  %v280 = trunc i64 %v279 to i32
  %v281 = insertelement <8 x i32> poison, i32 %v280, i64 0
  %v282 = shufflevector <8 x i32> %v281, <8 x i32> poison, <8 x i32> zeroinitializer
  %v283 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v282
  %v284 = icmp sge i64 %v278, 8
  %v285 = getelementptr inbounds float, ptr %v14, i64 %v275
  %v290 = add i64 %v21, %v275
  %v291 = getelementptr inbounds float, ptr %v3, i64 %v290
  %v286 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v285, i32 4, <8 x i1> %v283, <8 x float> zeroinitializer)
  %v289 = fdiv <8 x float> %v286, %v288
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v289, ptr %v291, i32 4, <8 x i1> %v283)
  br label %after33
after33:
  %v292 = icmp sge i64 %v276, %v9
  br i1 %v292, label %after30, label %whole34
whole34:
  %v294 = icmp slt i64 %v276, %v293
  br i1 %v294, label %enter35, label %after37
enter35:
  br label %loop36
loop36:
  %v295 = phi i64 [%v276, %enter35], [%v306, %stored40]
  %v296 = getelementptr inbounds float, ptr %v14, i64 %v295
  %v297 = load <8 x float>, ptr %v296, align 4
  %v298 = fdiv <8 x float> %v297, %v288
  %v299 = add i64 %v21, %v295
  %v300 = getelementptr inbounds float, ptr %v3, i64 %v299
  %v301 = ptrtoint ptr %v300 to i64
  %v302 = and i64 %v301, 31
  %v303 = icmp eq i64 %v302, 0
  %v304 = and i1 %v303, %v18
  br i1 %v304, label %this38, label %that39
this38:
  store <8 x float> %v298, ptr %v300, align 32, !nontemporal !0
  br label %stored40
that39:
  store <8 x float> %v298, ptr %v300, align 4
  br label %stored40
stored40:
  %v305 = add i64 %v295, 8
  %v306 = call i64 @llvm.fshl.i64(i64 %v305, i64 %v305, i64 0)
  %v307 = icmp slt i64 %v306, %v293
  br i1 %v307, label %loop36, label %after37
after37:
  %v308 = phi i64 [%v276, %whole34], [%v306, %stored40]
  br label %rounds31
after30:
  %v309 = add i64 %v20, 1
  %v310 = call i64 @llvm.fshl.i64(i64 %v309, i64 %v309, i64 0)
  %v311 = icmp slt i64 %v310, %v17
  br i1 %v311, label %loop6, label %after7
after7:
  %v312 = phi i64 [%v15, %group2], [%v310, %after30]
  br label %next4
next4:
  %v313 = add i64 %v13, 1
  %v314 = call i64 @llvm.fshl.i64(i64 %v313, i64 %v313, i64 0)
  %v315 = icmp slt i64 %v314, %end
  br i1 %v315, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
