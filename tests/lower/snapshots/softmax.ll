target triple = "x86_64-unknown-linux-gnu"
define void @max_sum_div(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v14 = alloca [4096 x float], align 64
  %v22 = alloca [32 x float], align 64
  %v140 = alloca [32 x float], align 64
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
  %v141 = getelementptr inbounds float, ptr %v140, i64 8
  %v142 = getelementptr inbounds float, ptr %v140, i64 16
  %v143 = getelementptr inbounds float, ptr %v140, i64 24
  %v256 = icmp sgt i64 %v9, 0
  %v282 = sub i64 %v9, 7
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v303, %next4]
  %v15 = mul i64 %v5, %v13
  %v16 = add i64 %v15, %v5
  %v17 = call i64 @llvm.smin.i64(i64 %v16, i64 %v7)
  %v19 = icmp slt i64 %v15, %v17
  br i1 %v19, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v20 = phi i64 [%v15, %enter5], [%v299, %after27]
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
  %v152 = insertelement <8 x float> poison, float %v133, i64 0
  %v153 = shufflevector <8 x float> %v152, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop15
loop15:
  %v135 = phi i64 [0, %enter14], [%v251, %after22]
  %v136 = phi float [0x0000000000000000, %enter14], [%v249, %after22]
  %v137 = add i64 %v135, 512
  %v138 = call i64 @llvm.smin.i64(i64 %v137, i64 %v9)
  %v139 = sub i64 %v138, %v135
  store <8 x float> splat (float 0x0000000000000000), ptr %v140, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v141, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v142, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v143, align 32
  %v144 = sub i64 %v139, 7
  %v145 = icmp slt i64 0, %v144
  br i1 %v145, label %enter17, label %after19
enter17:
  br label %loop18
loop18:
  %v146 = phi i64 [0, %enter17], [%v183, %loop18]
  %v147 = and i64 %v146, 31
  %v148 = add i64 %v135, %v146
  %v149 = add i64 %v21, %v148
  %v150 = getelementptr inbounds float, ptr %v1, i64 %v149
  %v151 = load <8 x float>, ptr %v150, align 4
  %v154 = fsub <8 x float> %v151, %v153
  %v155 = fcmp ogt <8 x float> %v154, splat (float 0x4056400000000000)
  %v156 = select <8 x i1> %v155, <8 x float> splat (float 0x4056400000000000), <8 x float> %v154
  %v157 = fcmp olt <8 x float> %v156, splat (float 0xC05A000000000000)
  %v158 = select <8 x i1> %v157, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v156
  %v159 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v158, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v160 = fsub <8 x float> %v159, splat (float 0x4168000FC0000000)
  %v161 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v160, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v158)
  %v162 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v160, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v161)
  %v163 = bitcast <8 x float> %v159 to <8 x i32>
  %v164 = shl <8 x i32> %v163, splat (i32 23)
  %v165 = fmul <8 x float> %v162, %v162
  %v166 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v165, <8 x float> splat (float 0x3FA55585A0000000))
  %v167 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v166, <8 x float> %v165, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v168 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v165, <8 x float> splat (float 0x3FC55548C0000000))
  %v169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> %v162, <8 x float> %v167)
  %v170 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v165, <8 x float> %v169, <8 x float> %v162)
  %v171 = fcmp olt <8 x float> %v158, splat (float 0xC050000000000000)
  %v172 = select <8 x i1> %v171, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v173 = add <8 x i32> %v164, %v172
  %v174 = bitcast <8 x i32> %v173 to <8 x float>
  %v175 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v170, <8 x float> %v174, <8 x float> %v174)
  %v176 = select <8 x i1> %v171, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v177 = fmul <8 x float> %v175, %v176
  %v178 = getelementptr inbounds float, ptr %v14, i64 %v148
  store <8 x float> %v177, ptr %v178, align 4
  %v179 = getelementptr inbounds float, ptr %v140, i64 %v147
  %v180 = load <8 x float>, ptr %v179, align 32
  %v181 = fadd <8 x float> %v180, %v177
  store <8 x float> %v181, ptr %v179, align 32
  %v182 = add i64 %v146, 8
  %v183 = call i64 @llvm.fshl.i64(i64 %v182, i64 %v182, i64 0)
  %v184 = icmp slt i64 %v183, %v144
  br i1 %v184, label %loop18, label %after19
after19:
  %v185 = phi i64 [0, %loop15], [%v183, %loop18]
  %v186 = icmp slt i64 %v185, %v139
  br i1 %v186, label %enter20, label %after22
enter20:
  br label %loop21
loop21:
  %v187 = phi i64 [%v185, %enter20], [%v230, %stored25]
  %v188 = and i64 %v187, 31
  %v189 = sub i64 %v139, %v187
  %v190 = call i64 @llvm.umin.i64(i64 %v189, i64 8)
  %v191 = trunc i64 %v190 to i32
  %v192 = insertelement <8 x i32> poison, i32 %v191, i64 0
  %v193 = shufflevector <8 x i32> %v192, <8 x i32> poison, <8 x i32> zeroinitializer
  %v194 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v193
  %v195 = icmp sge i64 %v189, 8
  %v196 = add i64 %v135, %v187
  %v197 = add i64 %v21, %v196
  %v198 = getelementptr inbounds float, ptr %v1, i64 %v197
  %v199 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v198, i32 4, <8 x i1> %v194, <8 x float> zeroinitializer)
  %v200 = fsub <8 x float> %v199, %v153
  %v201 = fcmp ogt <8 x float> %v200, splat (float 0x4056400000000000)
  %v202 = select <8 x i1> %v201, <8 x float> splat (float 0x4056400000000000), <8 x float> %v200
  %v203 = fcmp olt <8 x float> %v202, splat (float 0xC05A000000000000)
  %v204 = select <8 x i1> %v203, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v202
  %v205 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v204, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v206 = fsub <8 x float> %v205, splat (float 0x4168000FC0000000)
  %v207 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v206, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v204)
  %v208 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v206, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v207)
  %v209 = bitcast <8 x float> %v205 to <8 x i32>
  %v210 = shl <8 x i32> %v209, splat (i32 23)
  %v211 = fmul <8 x float> %v208, %v208
  %v212 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v211, <8 x float> splat (float 0x3FA55585A0000000))
  %v213 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v212, <8 x float> %v211, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v214 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v211, <8 x float> splat (float 0x3FC55548C0000000))
  %v215 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v214, <8 x float> %v208, <8 x float> %v213)
  %v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v211, <8 x float> %v215, <8 x float> %v208)
  %v217 = fcmp olt <8 x float> %v204, splat (float 0xC050000000000000)
  %v218 = select <8 x i1> %v217, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v219 = add <8 x i32> %v210, %v218
  %v220 = bitcast <8 x i32> %v219 to <8 x float>
  %v221 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v216, <8 x float> %v220, <8 x float> %v220)
  %v222 = select <8 x i1> %v217, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v223 = fmul <8 x float> %v221, %v222
  %v224 = getelementptr inbounds float, ptr %v14, i64 %v196
  br i1 %v195, label %this23, label %that24
this23:
  store <8 x float> %v223, ptr %v224, align 4
  br label %stored25
that24:
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v223, ptr %v224, i32 4, <8 x i1> %v194)
  br label %stored25
stored25:
  %v225 = getelementptr inbounds float, ptr %v140, i64 %v188
  %v226 = load <8 x float>, ptr %v225, align 32
  %v227 = fadd <8 x float> %v226, %v223
  %v228 = select <8 x i1> %v194, <8 x float> %v227, <8 x float> %v226
  store <8 x float> %v228, ptr %v225, align 32
  %v229 = add i64 %v187, 8
  %v230 = call i64 @llvm.fshl.i64(i64 %v229, i64 %v229, i64 0)
  %v231 = icmp slt i64 %v230, %v139
  br i1 %v231, label %loop21, label %after22
after22:
  %v232 = phi i64 [%v185, %after19], [%v230, %stored25]
  %v233 = load <8 x float>, ptr %v140, align 32
  %v234 = load <8 x float>, ptr %v141, align 32
  %v235 = load <8 x float>, ptr %v142, align 32
  %v236 = load <8 x float>, ptr %v143, align 32
  %v237 = fadd <8 x float> %v233, %v235
  %v238 = fadd <8 x float> %v234, %v236
  %v239 = fadd <8 x float> %v237, %v238
  %v240 = shufflevector <8 x float> %v239, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v241 = shufflevector <8 x float> %v239, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v242 = fadd <4 x float> %v240, %v241
  %v243 = shufflevector <4 x float> %v242, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v244 = shufflevector <4 x float> %v242, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v245 = fadd <2 x float> %v243, %v244
  %v246 = extractelement <2 x float> %v245, i64 0
  %v247 = extractelement <2 x float> %v245, i64 1
  %v248 = fadd float %v246, %v247
  %v249 = fadd float %v136, %v248
  %v250 = add i64 %v135, 512
  %v251 = call i64 @llvm.fshl.i64(i64 %v250, i64 %v250, i64 0)
  %v252 = icmp slt i64 %v251, %v9
  br i1 %v252, label %loop15, label %after16
after16:
  %v253 = phi float [0x0000000000000000, %after13], [%v249, %after22]
  %v254 = phi i64 [0, %after13], [%v251, %after22]
  %v255 = fadd float 0x0000000000000000, %v253
  br i1 %v256, label %lanes26, label %after27
lanes26:
  %v257 = getelementptr inbounds float, ptr %v3, i64 %v21
  %v258 = ptrtoint ptr %v257 to i64
  %v259 = sub i64 0, %v258
  %v260 = and i64 %v259, 31
  %v261 = lshr i64 %v260, 2
  %v262 = call i64 @llvm.smin.i64(i64 %v261, i64 %v9)
  %v263 = select i1 %v18, i64 %v262, i64 0
  %v276 = insertelement <8 x float> poison, float %v255, i64 0
  %v277 = shufflevector <8 x float> %v276, <8 x float> poison, <8 x i32> zeroinitializer
  br label %rounds28
rounds28:
  %v264 = phi i64 [0, %lanes26], [%v297, %after34]
  %v265 = phi i64 [%v263, %lanes26], [%v9, %after34]
  %v266 = icmp slt i64 %v264, %v265
  br i1 %v266, label %part29, label %after30
part29:
  %v267 = sub i64 %v265, %v264
  %v268 = call i64 @llvm.umin.i64(i64 %v267, i64 8)
  %v269 = trunc i64 %v268 to i32
  %v270 = insertelement <8 x i32> poison, i32 %v269, i64 0
  %v271 = shufflevector <8 x i32> %v270, <8 x i32> poison, <8 x i32> zeroinitializer
  %v272 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v271
  %v273 = icmp sge i64 %v267, 8
  %v274 = getelementptr inbounds float, ptr %v14, i64 %v264
  %v279 = add i64 %v21, %v264
  %v280 = getelementptr inbounds float, ptr %v3, i64 %v279
  %v275 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v274, i32 4, <8 x i1> %v272, <8 x float> zeroinitializer)
  %v278 = fdiv <8 x float> %v275, %v277
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v278, ptr %v280, i32 4, <8 x i1> %v272)
  br label %after30
after30:
  %v281 = icmp sge i64 %v265, %v9
  br i1 %v281, label %after27, label %whole31
whole31:
  %v283 = icmp slt i64 %v265, %v282
  br i1 %v283, label %enter32, label %after34
enter32:
  br label %loop33
loop33:
  %v284 = phi i64 [%v265, %enter32], [%v295, %stored37]
  %v285 = getelementptr inbounds float, ptr %v14, i64 %v284
  %v286 = load <8 x float>, ptr %v285, align 4
  %v287 = fdiv <8 x float> %v286, %v277
  %v288 = add i64 %v21, %v284
  %v289 = getelementptr inbounds float, ptr %v3, i64 %v288
  %v290 = ptrtoint ptr %v289 to i64
  %v291 = and i64 %v290, 31
  %v292 = icmp eq i64 %v291, 0
  %v293 = and i1 %v292, %v18
  br i1 %v293, label %this35, label %that36
this35:
  store <8 x float> %v287, ptr %v289, align 32, !nontemporal !0
  br label %stored37
that36:
  store <8 x float> %v287, ptr %v289, align 4
  br label %stored37
stored37:
  %v294 = add i64 %v284, 8
  %v295 = call i64 @llvm.fshl.i64(i64 %v294, i64 %v294, i64 0)
  %v296 = icmp slt i64 %v295, %v282
  br i1 %v296, label %loop33, label %after34
after34:
  %v297 = phi i64 [%v265, %whole31], [%v295, %stored37]
  br label %rounds28
after27:
  %v298 = add i64 %v20, 1
  %v299 = call i64 @llvm.fshl.i64(i64 %v298, i64 %v298, i64 0)
  %v300 = icmp slt i64 %v299, %v17
  br i1 %v300, label %loop6, label %after7
after7:
  %v301 = phi i64 [%v15, %group2], [%v299, %after27]
  br label %next4
next4:
  %v302 = add i64 %v13, 1
  %v303 = call i64 @llvm.fshl.i64(i64 %v302, i64 %v302, i64 0)
  %v304 = icmp slt i64 %v303, %end
  br i1 %v304, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
