target triple = "x86_64-unknown-linux-gnu"
define void @max_sum_div(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v14 = alloca [4096 x float], align 64
  %v68 = alloca [32 x float], align 64
  %v138 = alloca [32 x float], align 64
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
  %v132 = icmp slt i64 0, %v9
  %v139 = getelementptr inbounds float, ptr %v138, i64 8
  %v140 = getelementptr inbounds float, ptr %v138, i64 16
  %v141 = getelementptr inbounds float, ptr %v138, i64 24
  %v254 = icmp sgt i64 %v9, 0
  %v278 = sub i64 %v9, 7
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v299, %next4]
  %v15 = mul i64 %v5, %v13
  %v16 = add i64 %v15, %v5
  %v17 = call i64 @llvm.smin.i64(i64 %v16, i64 %v7)
  %v19 = icmp slt i64 %v15, %v17
  br i1 %v19, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v20 = phi i64 [%v15, %enter5], [%v295, %after27]
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
  br i1 %v132, label %enter14, label %after16
enter14:
  %v152 = insertelement <8 x float> poison, float %v131, i64 0
  %v153 = shufflevector <8 x float> %v152, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop15
loop15:
  %v133 = phi i64 [0, %enter14], [%v249, %after22]
  %v134 = phi float [0x0000000000000000, %enter14], [%v247, %after22]
  %v135 = add i64 %v133, 512
  %v136 = call i64 @llvm.smin.i64(i64 %v135, i64 %v9)
  %v137 = sub i64 %v136, %v133
  store <8 x float> splat (float 0x0000000000000000), ptr %v138, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v139, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v140, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v141, align 32
  %v142 = sub i64 %v137, 7
  %v143 = icmp slt i64 0, %v142
  br i1 %v143, label %enter17, label %after19
enter17:
  br label %loop18
loop18:
  %v144 = phi i64 [0, %enter17], [%v181, %loop18]
  %v145 = and i64 %v144, 31
  %v146 = getelementptr inbounds float, ptr %v138, i64 %v145
  %v147 = load <8 x float>, ptr %v146, align 32
  %v148 = add i64 %v133, %v144
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
  %v179 = fadd <8 x float> %v147, %v177
  store <8 x float> %v179, ptr %v146, align 32
  %v180 = add i64 %v144, 8
  %v181 = call i64 @llvm.fshl.i64(i64 %v180, i64 %v180, i64 0)
  %v182 = icmp slt i64 %v181, %v142
  br i1 %v182, label %loop18, label %after19
after19:
  %v183 = phi i64 [0, %loop15], [%v181, %loop18]
  %v184 = icmp slt i64 %v183, %v137
  br i1 %v184, label %enter20, label %after22
enter20:
  br label %loop21
loop21:
  %v185 = phi i64 [%v183, %enter20], [%v228, %stored25]
  %v186 = and i64 %v185, 31
  %v187 = getelementptr inbounds float, ptr %v138, i64 %v186
  %v188 = load <8 x float>, ptr %v187, align 32
  %v189 = sub i64 %v137, %v185
  %v190 = call i64 @llvm.umin.i64(i64 %v189, i64 8)
  %v191 = icmp sge i64 %v189, 8
  %v192 = trunc i64 %v190 to i32
  %v193 = insertelement <8 x i32> poison, i32 %v192, i64 0
  %v194 = shufflevector <8 x i32> %v193, <8 x i32> poison, <8 x i32> zeroinitializer
  %v195 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v194
  %v196 = add i64 %v133, %v185
  %v197 = add i64 %v21, %v196
  %v198 = getelementptr inbounds float, ptr %v1, i64 %v197
  %v199 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v198, i32 4, <8 x i1> %v195, <8 x float> zeroinitializer)
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
  br i1 %v191, label %this23, label %that24
this23:
  store <8 x float> %v223, ptr %v224, align 4
  br label %stored25
that24:
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v223, ptr %v224, i32 4, <8 x i1> %v195)
  br label %stored25
stored25:
  %v225 = fadd <8 x float> %v188, %v223
  %v226 = select <8 x i1> %v195, <8 x float> %v225, <8 x float> %v188
  store <8 x float> %v226, ptr %v187, align 32
  %v227 = add i64 %v185, 8
  %v228 = call i64 @llvm.fshl.i64(i64 %v227, i64 %v227, i64 0)
  %v229 = icmp slt i64 %v228, %v137
  br i1 %v229, label %loop21, label %after22
after22:
  %v230 = phi i64 [%v183, %after19], [%v228, %stored25]
  %v231 = load <8 x float>, ptr %v138, align 32
  %v232 = load <8 x float>, ptr %v139, align 32
  %v233 = load <8 x float>, ptr %v140, align 32
  %v234 = load <8 x float>, ptr %v141, align 32
  %v235 = fadd <8 x float> %v231, %v233
  %v236 = fadd <8 x float> %v232, %v234
  %v237 = fadd <8 x float> %v235, %v236
  %v238 = shufflevector <8 x float> %v237, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v239 = shufflevector <8 x float> %v237, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v240 = fadd <4 x float> %v238, %v239
  %v241 = shufflevector <4 x float> %v240, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v242 = shufflevector <4 x float> %v240, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v243 = fadd <2 x float> %v241, %v242
  %v244 = extractelement <2 x float> %v243, i64 0
  %v245 = extractelement <2 x float> %v243, i64 1
  %v246 = fadd float %v244, %v245
  %v247 = fadd float %v134, %v246
  %v248 = add i64 %v133, 512
  %v249 = call i64 @llvm.fshl.i64(i64 %v248, i64 %v248, i64 0)
  %v250 = icmp slt i64 %v249, %v9
  br i1 %v250, label %loop15, label %after16
after16:
  %v251 = phi float [0x0000000000000000, %after13], [%v247, %after22]
  %v252 = phi i64 [0, %after13], [%v249, %after22]
  %v253 = fadd float 0x0000000000000000, %v251
  br i1 %v254, label %lanes26, label %after27
lanes26:
  %v255 = getelementptr inbounds float, ptr %v3, i64 %v21
  %v256 = ptrtoint ptr %v255 to i64
  %v257 = sub i64 0, %v256
  %v258 = and i64 %v257, 31
  %v259 = lshr i64 %v258, 2
  %v260 = call i64 @llvm.smin.i64(i64 %v259, i64 %v9)
  %v261 = select i1 %v18, i64 %v260, i64 0
  %v272 = insertelement <8 x float> poison, float %v253, i64 0
  %v273 = shufflevector <8 x float> %v272, <8 x float> poison, <8 x i32> zeroinitializer
  br label %rounds28
rounds28:
  %v262 = phi i64 [0, %lanes26], [%v293, %after34]
  %v263 = phi i64 [%v261, %lanes26], [%v9, %after34]
  %v264 = icmp slt i64 %v262, %v263
  br i1 %v264, label %part29, label %after30
part29:
  %v265 = sub i64 %v263, %v262
  %v266 = trunc i64 %v265 to i32
  %v267 = insertelement <8 x i32> poison, i32 %v266, i64 0
  %v268 = shufflevector <8 x i32> %v267, <8 x i32> poison, <8 x i32> zeroinitializer
  %v269 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v268
  %v270 = getelementptr inbounds float, ptr %v14, i64 %v262
  %v275 = add i64 %v21, %v262
  %v276 = getelementptr inbounds float, ptr %v3, i64 %v275
  %v271 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v270, i32 4, <8 x i1> %v269, <8 x float> zeroinitializer)
  %v274 = fdiv <8 x float> %v271, %v273
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v274, ptr %v276, i32 4, <8 x i1> %v269)
  br label %after30
after30:
  %v277 = icmp sge i64 %v263, %v9
  br i1 %v277, label %after27, label %whole31
whole31:
  %v279 = icmp slt i64 %v263, %v278
  br i1 %v279, label %enter32, label %after34
enter32:
  br label %loop33
loop33:
  %v280 = phi i64 [%v263, %enter32], [%v291, %stored37]
  %v281 = getelementptr inbounds float, ptr %v14, i64 %v280
  %v282 = load <8 x float>, ptr %v281, align 4
  %v283 = fdiv <8 x float> %v282, %v273
  %v284 = add i64 %v21, %v280
  %v285 = getelementptr inbounds float, ptr %v3, i64 %v284
  %v286 = ptrtoint ptr %v285 to i64
  %v287 = and i64 %v286, 31
  %v288 = icmp eq i64 %v287, 0
  %v289 = and i1 %v288, %v18
  br i1 %v289, label %this35, label %that36
this35:
  store <8 x float> %v283, ptr %v285, align 32, !nontemporal !0
  br label %stored37
that36:
  store <8 x float> %v283, ptr %v285, align 4
  br label %stored37
stored37:
  %v290 = add i64 %v280, 8
  %v291 = call i64 @llvm.fshl.i64(i64 %v290, i64 %v290, i64 0)
  %v292 = icmp slt i64 %v291, %v278
  br i1 %v292, label %loop33, label %after34
after34:
  %v293 = phi i64 [%v263, %whole31], [%v291, %stored37]
  br label %rounds28
after27:
  %v294 = add i64 %v20, 1
  %v295 = call i64 @llvm.fshl.i64(i64 %v294, i64 %v294, i64 0)
  %v296 = icmp slt i64 %v295, %v17
  br i1 %v296, label %loop6, label %after7
after7:
  %v297 = phi i64 [%v15, %group2], [%v295, %after27]
  br label %next4
next4:
  %v298 = add i64 %v13, 1
  %v299 = call i64 @llvm.fshl.i64(i64 %v298, i64 %v298, i64 0)
  %v300 = icmp slt i64 %v299, %end
  br i1 %v300, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
