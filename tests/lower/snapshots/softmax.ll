target triple = "x86_64-unknown-linux-gnu"
define void @max_sum_div(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v14 = alloca [4096 x float], align 64
  %v68 = alloca [32 x float], align 64
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
  %v22 = sub i64 %v9, 31
  %v23 = icmp slt i64 0, %v22
  %v69 = getelementptr inbounds float, ptr %v68, i64 8
  %v70 = getelementptr inbounds float, ptr %v68, i64 16
  %v71 = getelementptr inbounds float, ptr %v68, i64 24
  %v132 = fcmp uno float 0xFFF0000000000000, 0xFFF0000000000000
  %v134 = icmp slt i64 0, %v9
  %v141 = getelementptr inbounds float, ptr %v140, i64 8
  %v142 = getelementptr inbounds float, ptr %v140, i64 16
  %v143 = getelementptr inbounds float, ptr %v140, i64 24
  %v256 = icmp sgt i64 %v9, 0
  %v280 = sub i64 %v9, 7
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v301, %next4]
  %v15 = mul i64 %v5, %v13
  %v16 = add i64 %v15, %v5
  %v17 = call i64 @llvm.smin.i64(i64 %v16, i64 %v7)
  %v19 = icmp slt i64 %v15, %v17
  br i1 %v19, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v20 = phi i64 [%v15, %enter5], [%v297, %after27]
  %v21 = mul i64 %v9, %v20
  br i1 %v23, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v24 = phi i64 [0, %enter8], [%v61, %loop9]
  %v25 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v35, %loop9]
  %v26 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v43, %loop9]
  %v27 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v51, %loop9]
  %v28 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v59, %loop9]
  %v29 = add i64 %v21, %v24
  %v30 = getelementptr inbounds float, ptr %v1, i64 %v29
  %v31 = load <8 x float>, ptr %v30, align 4
  %v32 = fcmp ogt <8 x float> %v25, %v31
  %v33 = select <8 x i1> %v32, <8 x float> %v25, <8 x float> %v31
  %v34 = fcmp uno <8 x float> %v25, %v25
  %v35 = select <8 x i1> %v34, <8 x float> %v25, <8 x float> %v33
  %v36 = add i64 %v24, 8
  %v37 = add i64 %v21, %v36
  %v38 = getelementptr inbounds float, ptr %v1, i64 %v37
  %v39 = load <8 x float>, ptr %v38, align 4
  %v40 = fcmp ogt <8 x float> %v26, %v39
  %v41 = select <8 x i1> %v40, <8 x float> %v26, <8 x float> %v39
  %v42 = fcmp uno <8 x float> %v26, %v26
  %v43 = select <8 x i1> %v42, <8 x float> %v26, <8 x float> %v41
  %v44 = add i64 %v24, 16
  %v45 = add i64 %v21, %v44
  %v46 = getelementptr inbounds float, ptr %v1, i64 %v45
  %v47 = load <8 x float>, ptr %v46, align 4
  %v48 = fcmp ogt <8 x float> %v27, %v47
  %v49 = select <8 x i1> %v48, <8 x float> %v27, <8 x float> %v47
  %v50 = fcmp uno <8 x float> %v27, %v27
  %v51 = select <8 x i1> %v50, <8 x float> %v27, <8 x float> %v49
  %v52 = add i64 %v24, 24
  %v53 = add i64 %v21, %v52
  %v54 = getelementptr inbounds float, ptr %v1, i64 %v53
  %v55 = load <8 x float>, ptr %v54, align 4
  %v56 = fcmp ogt <8 x float> %v28, %v55
  %v57 = select <8 x i1> %v56, <8 x float> %v28, <8 x float> %v55
  %v58 = fcmp uno <8 x float> %v28, %v28
  %v59 = select <8 x i1> %v58, <8 x float> %v28, <8 x float> %v57
  %v60 = add i64 %v24, 32
  %v61 = call i64 @llvm.fshl.i64(i64 %v60, i64 %v60, i64 0)
  %v62 = icmp slt i64 %v61, %v22
  br i1 %v62, label %loop9, label %after10
after10:
  %v63 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v35, %loop9]
  %v64 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v43, %loop9]
  %v65 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v51, %loop9]
  %v66 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v59, %loop9]
  %v67 = phi i64 [0, %loop6], [%v61, %loop9]
  store <8 x float> %v63, ptr %v68, align 32
  store <8 x float> %v64, ptr %v69, align 32
  store <8 x float> %v65, ptr %v70, align 32
  store <8 x float> %v66, ptr %v71, align 32
  %v72 = icmp slt i64 %v67, %v9
  br i1 %v72, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v73 = phi i64 [%v67, %enter11], [%v93, %loop12]
  %v74 = and i64 %v73, 31
  %v75 = getelementptr inbounds float, ptr %v68, i64 %v74
  %v76 = load <8 x float>, ptr %v75, align 32
  %v77 = sub i64 %v9, %v73
  %v78 = call i64 @llvm.umin.i64(i64 %v77, i64 8)
  %v79 = icmp sge i64 %v77, 8
  %v80 = trunc i64 %v78 to i32
  %v81 = insertelement <8 x i32> poison, i32 %v80, i64 0
  %v82 = shufflevector <8 x i32> %v81, <8 x i32> poison, <8 x i32> zeroinitializer
  %v83 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v82
  %v84 = add i64 %v21, %v73
  %v85 = getelementptr inbounds float, ptr %v1, i64 %v84
  %v86 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v85, i32 4, <8 x i1> %v83, <8 x float> zeroinitializer)
  %v87 = fcmp ogt <8 x float> %v76, %v86
  %v88 = select <8 x i1> %v87, <8 x float> %v76, <8 x float> %v86
  %v89 = fcmp uno <8 x float> %v76, %v76
  %v90 = select <8 x i1> %v89, <8 x float> %v76, <8 x float> %v88
  %v91 = select <8 x i1> %v83, <8 x float> %v90, <8 x float> %v76
  store <8 x float> %v91, ptr %v75, align 32
  %v92 = add i64 %v73, 8
  %v93 = call i64 @llvm.fshl.i64(i64 %v92, i64 %v92, i64 0)
  %v94 = icmp slt i64 %v93, %v9
  br i1 %v94, label %loop12, label %after13
after13:
  %v95 = phi i64 [%v67, %after10], [%v93, %loop12]
  %v96 = load <8 x float>, ptr %v68, align 32
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
  %v154 = insertelement <8 x float> poison, float %v133, i64 0
  %v155 = shufflevector <8 x float> %v154, <8 x float> poison, <8 x i32> zeroinitializer
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
  %v148 = getelementptr inbounds float, ptr %v140, i64 %v147
  %v149 = load <8 x float>, ptr %v148, align 32
  %v150 = add i64 %v135, %v146
  %v151 = add i64 %v21, %v150
  %v152 = getelementptr inbounds float, ptr %v1, i64 %v151
  %v153 = load <8 x float>, ptr %v152, align 4
  %v156 = fsub <8 x float> %v153, %v155
  %v157 = fcmp ogt <8 x float> %v156, splat (float 0x4056400000000000)
  %v158 = select <8 x i1> %v157, <8 x float> splat (float 0x4056400000000000), <8 x float> %v156
  %v159 = fcmp olt <8 x float> %v158, splat (float 0xC05A000000000000)
  %v160 = select <8 x i1> %v159, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v158
  %v161 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v160, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v162 = fsub <8 x float> %v161, splat (float 0x4168000FC0000000)
  %v163 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v160)
  %v164 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v163)
  %v165 = bitcast <8 x float> %v161 to <8 x i32>
  %v166 = shl <8 x i32> %v165, splat (i32 23)
  %v167 = fmul <8 x float> %v164, %v164
  %v168 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v167, <8 x float> splat (float 0x3FA55585A0000000))
  %v169 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v168, <8 x float> %v167, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v170 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v167, <8 x float> splat (float 0x3FC55548C0000000))
  %v171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v170, <8 x float> %v164, <8 x float> %v169)
  %v172 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v167, <8 x float> %v171, <8 x float> %v164)
  %v173 = fcmp olt <8 x float> %v160, splat (float 0xC050000000000000)
  %v174 = select <8 x i1> %v173, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v175 = add <8 x i32> %v166, %v174
  %v176 = bitcast <8 x i32> %v175 to <8 x float>
  %v177 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v172, <8 x float> %v176, <8 x float> %v176)
  %v178 = select <8 x i1> %v173, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v179 = fmul <8 x float> %v177, %v178
  %v180 = getelementptr inbounds float, ptr %v14, i64 %v150
  store <8 x float> %v179, ptr %v180, align 4
  %v181 = fadd <8 x float> %v149, %v179
  store <8 x float> %v181, ptr %v148, align 32
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
  %v189 = getelementptr inbounds float, ptr %v140, i64 %v188
  %v190 = load <8 x float>, ptr %v189, align 32
  %v191 = sub i64 %v139, %v187
  %v192 = call i64 @llvm.umin.i64(i64 %v191, i64 8)
  %v193 = icmp sge i64 %v191, 8
  %v194 = trunc i64 %v192 to i32
  %v195 = insertelement <8 x i32> poison, i32 %v194, i64 0
  %v196 = shufflevector <8 x i32> %v195, <8 x i32> poison, <8 x i32> zeroinitializer
  %v197 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v196
  %v198 = add i64 %v135, %v187
  %v199 = add i64 %v21, %v198
  %v200 = getelementptr inbounds float, ptr %v1, i64 %v199
  %v201 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v200, i32 4, <8 x i1> %v197, <8 x float> zeroinitializer)
  %v202 = fsub <8 x float> %v201, %v155
  %v203 = fcmp ogt <8 x float> %v202, splat (float 0x4056400000000000)
  %v204 = select <8 x i1> %v203, <8 x float> splat (float 0x4056400000000000), <8 x float> %v202
  %v205 = fcmp olt <8 x float> %v204, splat (float 0xC05A000000000000)
  %v206 = select <8 x i1> %v205, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v204
  %v207 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v206, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v208 = fsub <8 x float> %v207, splat (float 0x4168000FC0000000)
  %v209 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v208, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v206)
  %v210 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v208, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v209)
  %v211 = bitcast <8 x float> %v207 to <8 x i32>
  %v212 = shl <8 x i32> %v211, splat (i32 23)
  %v213 = fmul <8 x float> %v210, %v210
  %v214 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v213, <8 x float> splat (float 0x3FA55585A0000000))
  %v215 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v214, <8 x float> %v213, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v213, <8 x float> splat (float 0x3FC55548C0000000))
  %v217 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v216, <8 x float> %v210, <8 x float> %v215)
  %v218 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v213, <8 x float> %v217, <8 x float> %v210)
  %v219 = fcmp olt <8 x float> %v206, splat (float 0xC050000000000000)
  %v220 = select <8 x i1> %v219, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v221 = add <8 x i32> %v212, %v220
  %v222 = bitcast <8 x i32> %v221 to <8 x float>
  %v223 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v218, <8 x float> %v222, <8 x float> %v222)
  %v224 = select <8 x i1> %v219, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v225 = fmul <8 x float> %v223, %v224
  %v226 = getelementptr inbounds float, ptr %v14, i64 %v198
  br i1 %v193, label %this23, label %that24
this23:
  store <8 x float> %v225, ptr %v226, align 4
  br label %stored25
that24:
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v225, ptr %v226, i32 4, <8 x i1> %v197)
  br label %stored25
stored25:
  %v227 = fadd <8 x float> %v190, %v225
  %v228 = select <8 x i1> %v197, <8 x float> %v227, <8 x float> %v190
  store <8 x float> %v228, ptr %v189, align 32
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
  %v274 = insertelement <8 x float> poison, float %v255, i64 0
  %v275 = shufflevector <8 x float> %v274, <8 x float> poison, <8 x i32> zeroinitializer
  br label %rounds28
rounds28:
  %v264 = phi i64 [0, %lanes26], [%v295, %after34]
  %v265 = phi i64 [%v263, %lanes26], [%v9, %after34]
  %v266 = icmp slt i64 %v264, %v265
  br i1 %v266, label %part29, label %after30
part29:
  %v267 = sub i64 %v265, %v264
  %v268 = trunc i64 %v267 to i32
  %v269 = insertelement <8 x i32> poison, i32 %v268, i64 0
  %v270 = shufflevector <8 x i32> %v269, <8 x i32> poison, <8 x i32> zeroinitializer
  %v271 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v270
  %v272 = getelementptr inbounds float, ptr %v14, i64 %v264
  %v277 = add i64 %v21, %v264
  %v278 = getelementptr inbounds float, ptr %v3, i64 %v277
  %v273 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v272, i32 4, <8 x i1> %v271, <8 x float> zeroinitializer)
  %v276 = fdiv <8 x float> %v273, %v275
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v276, ptr %v278, i32 4, <8 x i1> %v271)
  br label %after30
after30:
  %v279 = icmp sge i64 %v265, %v9
  br i1 %v279, label %after27, label %whole31
whole31:
  %v281 = icmp slt i64 %v265, %v280
  br i1 %v281, label %enter32, label %after34
enter32:
  br label %loop33
loop33:
  %v282 = phi i64 [%v265, %enter32], [%v293, %stored37]
  %v283 = getelementptr inbounds float, ptr %v14, i64 %v282
  %v284 = load <8 x float>, ptr %v283, align 4
  %v285 = fdiv <8 x float> %v284, %v275
  %v286 = add i64 %v21, %v282
  %v287 = getelementptr inbounds float, ptr %v3, i64 %v286
  %v288 = ptrtoint ptr %v287 to i64
  %v289 = and i64 %v288, 31
  %v290 = icmp eq i64 %v289, 0
  %v291 = and i1 %v290, %v18
  br i1 %v291, label %this35, label %that36
this35:
  store <8 x float> %v285, ptr %v287, align 32, !nontemporal !0
  br label %stored37
that36:
  store <8 x float> %v285, ptr %v287, align 4
  br label %stored37
stored37:
  %v292 = add i64 %v282, 8
  %v293 = call i64 @llvm.fshl.i64(i64 %v292, i64 %v292, i64 0)
  %v294 = icmp slt i64 %v293, %v280
  br i1 %v294, label %loop33, label %after34
after34:
  %v295 = phi i64 [%v265, %whole31], [%v293, %stored37]
  br label %rounds28
after27:
  %v296 = add i64 %v20, 1
  %v297 = call i64 @llvm.fshl.i64(i64 %v296, i64 %v296, i64 0)
  %v298 = icmp slt i64 %v297, %v17
  br i1 %v298, label %loop6, label %after7
after7:
  %v299 = phi i64 [%v15, %group2], [%v297, %after27]
  br label %next4
next4:
  %v300 = add i64 %v13, 1
  %v301 = call i64 @llvm.fshl.i64(i64 %v300, i64 %v300, i64 0)
  %v302 = icmp slt i64 %v301, %end
  br i1 %v302, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
