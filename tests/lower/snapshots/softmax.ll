target triple = "x86_64-unknown-linux-gnu"
define void @max_sum_div(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v14 = alloca [4096 x float], align 64
  %v69 = alloca [32 x float], align 64
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
  %v70 = getelementptr inbounds float, ptr %v69, i64 8
  %v71 = getelementptr inbounds float, ptr %v69, i64 16
  %v72 = getelementptr inbounds float, ptr %v69, i64 24
  %v134 = icmp slt i64 0, %v9
  %v141 = getelementptr inbounds float, ptr %v140, i64 8
  %v142 = getelementptr inbounds float, ptr %v140, i64 16
  %v143 = getelementptr inbounds float, ptr %v140, i64 24
  %v261 = icmp sgt i64 %v9, 0
  %v286 = sub i64 %v9, 7
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v307, %next4]
  %v15 = mul i64 %v5, %v13
  %v16 = add i64 %v15, %v5
  %v17 = call i64 @llvm.smin.i64(i64 %v16, i64 %v7)
  %v19 = icmp slt i64 %v15, %v17
  br i1 %v19, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v20 = phi i64 [%v15, %enter5], [%v303, %after27]
  %v21 = mul i64 %v9, %v20
  br i1 %v23, label %enter8, label %after10
enter8:
  %v30 = getelementptr float, ptr %v1, i64 %v21
  br label %loop9
loop9:
  %v24 = phi i64 [0, %enter8], [%v62, %loop9]
  %v25 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v36, %loop9]
  %v26 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v44, %loop9]
  %v27 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v52, %loop9]
  %v28 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v60, %loop9]
  %v29 = add i64 %v21, %v24
  %v31 = getelementptr float, ptr %v30, i64 %v24
  %v32 = load <8 x float>, ptr %v31, align 4
  %v33 = fcmp ogt <8 x float> %v25, %v32
  %v34 = select <8 x i1> %v33, <8 x float> %v25, <8 x float> %v32
  %v35 = fcmp uno <8 x float> %v25, %v25
  %v36 = select <8 x i1> %v35, <8 x float> %v25, <8 x float> %v34
  %v37 = add i64 %v24, 8
  %v38 = add i64 %v21, %v37
  %v39 = getelementptr float, ptr %v30, i64 %v37
  %v40 = load <8 x float>, ptr %v39, align 4
  %v41 = fcmp ogt <8 x float> %v26, %v40
  %v42 = select <8 x i1> %v41, <8 x float> %v26, <8 x float> %v40
  %v43 = fcmp uno <8 x float> %v26, %v26
  %v44 = select <8 x i1> %v43, <8 x float> %v26, <8 x float> %v42
  %v45 = add i64 %v24, 16
  %v46 = add i64 %v21, %v45
  %v47 = getelementptr float, ptr %v30, i64 %v45
  %v48 = load <8 x float>, ptr %v47, align 4
  %v49 = fcmp ogt <8 x float> %v27, %v48
  %v50 = select <8 x i1> %v49, <8 x float> %v27, <8 x float> %v48
  %v51 = fcmp uno <8 x float> %v27, %v27
  %v52 = select <8 x i1> %v51, <8 x float> %v27, <8 x float> %v50
  %v53 = add i64 %v24, 24
  %v54 = add i64 %v21, %v53
  %v55 = getelementptr float, ptr %v30, i64 %v53
  %v56 = load <8 x float>, ptr %v55, align 4
  %v57 = fcmp ogt <8 x float> %v28, %v56
  %v58 = select <8 x i1> %v57, <8 x float> %v28, <8 x float> %v56
  %v59 = fcmp uno <8 x float> %v28, %v28
  %v60 = select <8 x i1> %v59, <8 x float> %v28, <8 x float> %v58
  %v61 = add i64 %v24, 32
  %v62 = call i64 @llvm.fshl.i64(i64 %v61, i64 %v61, i64 0)
  %v63 = icmp slt i64 %v62, %v22
  br i1 %v63, label %loop9, label %after10
after10:
  %v64 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v36, %loop9]
  %v65 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v44, %loop9]
  %v66 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v52, %loop9]
  %v67 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop6], [%v60, %loop9]
  %v68 = phi i64 [0, %loop6], [%v62, %loop9]
  store <8 x float> %v64, ptr %v69, align 32
  store <8 x float> %v65, ptr %v70, align 32
  store <8 x float> %v66, ptr %v71, align 32
  store <8 x float> %v67, ptr %v72, align 32
  %v73 = icmp slt i64 %v68, %v9
  br i1 %v73, label %enter11, label %after13
enter11:
  %v86 = getelementptr float, ptr %v1, i64 %v21
  br label %loop12
loop12:
  %v74 = phi i64 [%v68, %enter11], [%v95, %loop12]
  %v75 = and i64 %v74, 31
  %v76 = getelementptr inbounds float, ptr %v69, i64 %v75
  %v77 = load <8 x float>, ptr %v76, align 32
  %v78 = sub i64 %v9, %v74
  %v79 = call i64 @llvm.umin.i64(i64 %v78, i64 8)
  %v80 = icmp sge i64 %v78, 8
  %v81 = trunc i64 %v79 to i32
  %v82 = insertelement <8 x i32> poison, i32 %v81, i64 0
  %v83 = shufflevector <8 x i32> %v82, <8 x i32> poison, <8 x i32> zeroinitializer
  %v84 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v83
  %v85 = add i64 %v21, %v74
  %v87 = getelementptr float, ptr %v86, i64 %v74
  %v88 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v87, i32 4, <8 x i1> %v84, <8 x float> zeroinitializer)
  %v89 = fcmp ogt <8 x float> %v77, %v88
  %v90 = select <8 x i1> %v89, <8 x float> %v77, <8 x float> %v88
  %v91 = fcmp uno <8 x float> %v77, %v77
  %v92 = select <8 x i1> %v91, <8 x float> %v77, <8 x float> %v90
  %v93 = select <8 x i1> %v84, <8 x float> %v92, <8 x float> %v77
  store <8 x float> %v93, ptr %v76, align 32
  %v94 = add i64 %v74, 8
  %v95 = call i64 @llvm.fshl.i64(i64 %v94, i64 %v94, i64 0)
  %v96 = icmp slt i64 %v95, %v9
  br i1 %v96, label %loop12, label %after13
after13:
  %v97 = phi i64 [%v68, %after10], [%v95, %loop12]
  %v98 = load <8 x float>, ptr %v69, align 32
  %v99 = load <8 x float>, ptr %v70, align 32
  %v100 = load <8 x float>, ptr %v71, align 32
  %v101 = load <8 x float>, ptr %v72, align 32
  %v102 = fcmp ogt <8 x float> %v98, %v100
  %v103 = select <8 x i1> %v102, <8 x float> %v98, <8 x float> %v100
  %v104 = fcmp uno <8 x float> %v98, %v98
  %v105 = select <8 x i1> %v104, <8 x float> %v98, <8 x float> %v103
  %v106 = fcmp ogt <8 x float> %v99, %v101
  %v107 = select <8 x i1> %v106, <8 x float> %v99, <8 x float> %v101
  %v108 = fcmp uno <8 x float> %v99, %v99
  %v109 = select <8 x i1> %v108, <8 x float> %v99, <8 x float> %v107
  %v110 = fcmp ogt <8 x float> %v105, %v109
  %v111 = select <8 x i1> %v110, <8 x float> %v105, <8 x float> %v109
  %v112 = fcmp uno <8 x float> %v105, %v105
  %v113 = select <8 x i1> %v112, <8 x float> %v105, <8 x float> %v111
  %v114 = shufflevector <8 x float> %v113, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v115 = shufflevector <8 x float> %v113, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v116 = fcmp ogt <4 x float> %v114, %v115
  %v117 = select <4 x i1> %v116, <4 x float> %v114, <4 x float> %v115
  %v118 = fcmp uno <4 x float> %v114, %v114
  %v119 = select <4 x i1> %v118, <4 x float> %v114, <4 x float> %v117
  %v120 = shufflevector <4 x float> %v119, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v121 = shufflevector <4 x float> %v119, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v122 = fcmp ogt <2 x float> %v120, %v121
  %v123 = select <2 x i1> %v122, <2 x float> %v120, <2 x float> %v121
  %v124 = fcmp uno <2 x float> %v120, %v120
  %v125 = select <2 x i1> %v124, <2 x float> %v120, <2 x float> %v123
  %v126 = extractelement <2 x float> %v125, i64 0
  %v127 = extractelement <2 x float> %v125, i64 1
  %v128 = fcmp ogt float %v126, %v127
  %v129 = select i1 %v128, float %v126, float %v127
  %v130 = fcmp uno float %v126, %v126
  %v131 = select i1 %v130, float %v126, float %v129
  %v132 = fcmp ogt float 0xFFF0000000000000, %v131
  %v133 = select i1 %v132, float 0xFFF0000000000000, float %v131
  br i1 %v134, label %enter14, label %after16
enter14:
  %v152 = getelementptr float, ptr %v1, i64 %v21
  %v156 = insertelement <8 x float> poison, float %v133, i64 0
  %v157 = shufflevector <8 x float> %v156, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop15
loop15:
  %v135 = phi i64 [0, %enter14], [%v256, %after22]
  %v136 = phi float [0x0000000000000000, %enter14], [%v254, %after22]
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
  %v153 = getelementptr float, ptr %v152, i64 %v135
  %v182 = getelementptr float, ptr %v14, i64 %v135
  br label %loop18
loop18:
  %v146 = phi i64 [0, %enter17], [%v186, %loop18]
  %v147 = and i64 %v146, 31
  %v148 = getelementptr inbounds float, ptr %v140, i64 %v147
  %v149 = load <8 x float>, ptr %v148, align 32
  %v150 = add i64 %v135, %v146
  %v151 = add i64 %v21, %v150
  %v154 = getelementptr float, ptr %v153, i64 %v146
  %v155 = load <8 x float>, ptr %v154, align 4
  %v158 = fsub <8 x float> %v155, %v157
  %v159 = fcmp ogt <8 x float> %v158, splat (float 0x4056400000000000)
  %v160 = select <8 x i1> %v159, <8 x float> splat (float 0x4056400000000000), <8 x float> %v158
  %v161 = fcmp olt <8 x float> %v160, splat (float 0xC05A000000000000)
  %v162 = select <8 x i1> %v161, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v160
  %v163 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v164 = fsub <8 x float> %v163, splat (float 0x4168000FC0000000)
  %v165 = bitcast <8 x float> %v163 to <8 x i32>
  %v166 = shl <8 x i32> %v165, splat (i32 23)
  %v167 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v164, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v162)
  %v168 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v164, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v167)
  %v169 = fmul <8 x float> %v168, %v168
  %v170 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v169, <8 x float> splat (float 0x3FA55585A0000000))
  %v171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v170, <8 x float> %v169, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v172 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v169, <8 x float> splat (float 0x3FC55548C0000000))
  %v173 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v172, <8 x float> %v168, <8 x float> %v171)
  %v174 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v169, <8 x float> %v173, <8 x float> %v168)
  %v175 = fcmp olt <8 x float> %v162, splat (float 0xC050000000000000)
  %v176 = select <8 x i1> %v175, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v177 = add <8 x i32> %v166, %v176
  %v178 = bitcast <8 x i32> %v177 to <8 x float>
  %v179 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v174, <8 x float> %v178, <8 x float> %v178)
  %v180 = select <8 x i1> %v175, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v181 = fmul <8 x float> %v179, %v180
  %v183 = getelementptr float, ptr %v182, i64 %v146
  store <8 x float> %v181, ptr %v183, align 4
  %v184 = fadd <8 x float> %v149, %v181
  store <8 x float> %v184, ptr %v148, align 32
  %v185 = add i64 %v146, 8
  %v186 = call i64 @llvm.fshl.i64(i64 %v185, i64 %v185, i64 0)
  %v187 = icmp slt i64 %v186, %v144
  br i1 %v187, label %loop18, label %after19
after19:
  %v188 = phi i64 [0, %loop15], [%v186, %loop18]
  %v189 = icmp slt i64 %v188, %v139
  br i1 %v189, label %enter20, label %after22
enter20:
  %v203 = getelementptr float, ptr %v152, i64 %v135
  %v230 = getelementptr float, ptr %v14, i64 %v135
  br label %loop21
loop21:
  %v190 = phi i64 [%v188, %enter20], [%v235, %stored25]
  %v191 = and i64 %v190, 31
  %v192 = getelementptr inbounds float, ptr %v140, i64 %v191
  %v193 = load <8 x float>, ptr %v192, align 32
  %v194 = sub i64 %v139, %v190
  %v195 = call i64 @llvm.umin.i64(i64 %v194, i64 8)
  %v196 = icmp sge i64 %v194, 8
  %v197 = trunc i64 %v195 to i32
  %v198 = insertelement <8 x i32> poison, i32 %v197, i64 0
  %v199 = shufflevector <8 x i32> %v198, <8 x i32> poison, <8 x i32> zeroinitializer
  %v200 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v199
  %v201 = add i64 %v135, %v190
  %v202 = add i64 %v21, %v201
  %v204 = getelementptr float, ptr %v203, i64 %v190
  %v205 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v204, i32 4, <8 x i1> %v200, <8 x float> zeroinitializer)
  %v206 = fsub <8 x float> %v205, %v157
  %v207 = fcmp ogt <8 x float> %v206, splat (float 0x4056400000000000)
  %v208 = select <8 x i1> %v207, <8 x float> splat (float 0x4056400000000000), <8 x float> %v206
  %v209 = fcmp olt <8 x float> %v208, splat (float 0xC05A000000000000)
  %v210 = select <8 x i1> %v209, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v208
  %v211 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v210, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v212 = fsub <8 x float> %v211, splat (float 0x4168000FC0000000)
  %v213 = bitcast <8 x float> %v211 to <8 x i32>
  %v214 = shl <8 x i32> %v213, splat (i32 23)
  %v215 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v212, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v210)
  %v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v212, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v215)
  %v217 = fmul <8 x float> %v216, %v216
  %v218 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v217, <8 x float> splat (float 0x3FA55585A0000000))
  %v219 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v218, <8 x float> %v217, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v220 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v217, <8 x float> splat (float 0x3FC55548C0000000))
  %v221 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v220, <8 x float> %v216, <8 x float> %v219)
  %v222 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v217, <8 x float> %v221, <8 x float> %v216)
  %v223 = fcmp olt <8 x float> %v210, splat (float 0xC050000000000000)
  %v224 = select <8 x i1> %v223, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v225 = add <8 x i32> %v214, %v224
  %v226 = bitcast <8 x i32> %v225 to <8 x float>
  %v227 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v222, <8 x float> %v226, <8 x float> %v226)
  %v228 = select <8 x i1> %v223, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v229 = fmul <8 x float> %v227, %v228
  %v231 = getelementptr float, ptr %v230, i64 %v190
  br i1 %v196, label %this23, label %that24
this23:
  store <8 x float> %v229, ptr %v231, align 4
  br label %stored25
that24:
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v229, ptr %v231, i32 4, <8 x i1> %v200)
  br label %stored25
stored25:
  %v232 = fadd <8 x float> %v193, %v229
  %v233 = select <8 x i1> %v200, <8 x float> %v232, <8 x float> %v193
  store <8 x float> %v233, ptr %v192, align 32
  %v234 = add i64 %v190, 8
  %v235 = call i64 @llvm.fshl.i64(i64 %v234, i64 %v234, i64 0)
  %v236 = icmp slt i64 %v235, %v139
  br i1 %v236, label %loop21, label %after22
after22:
  %v237 = phi i64 [%v188, %after19], [%v235, %stored25]
  %v238 = load <8 x float>, ptr %v140, align 32
  %v239 = load <8 x float>, ptr %v141, align 32
  %v240 = load <8 x float>, ptr %v142, align 32
  %v241 = load <8 x float>, ptr %v143, align 32
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
  %v254 = fadd float %v136, %v253
  %v255 = add i64 %v135, 512
  %v256 = call i64 @llvm.fshl.i64(i64 %v255, i64 %v255, i64 0)
  %v257 = icmp slt i64 %v256, %v9
  br i1 %v257, label %loop15, label %after16
after16:
  %v258 = phi float [0x0000000000000000, %after13], [%v254, %after22]
  %v259 = phi i64 [0, %after13], [%v256, %after22]
  %v260 = fadd float 0x0000000000000000, %v258
  br i1 %v261, label %lanes26, label %after27
lanes26:
  %v262 = getelementptr inbounds float, ptr %v3, i64 %v21
  %v263 = ptrtoint ptr %v262 to i64
  %v264 = sub i64 0, %v263
  %v265 = and i64 %v264, 31
  %v266 = lshr i64 %v265, 2
  %v267 = call i64 @llvm.smin.i64(i64 %v266, i64 %v9)
  %v268 = select i1 %v18, i64 %v267, i64 0
  %v279 = insertelement <8 x float> poison, float %v260, i64 0
  %v280 = shufflevector <8 x float> %v279, <8 x float> poison, <8 x i32> zeroinitializer
  %v283 = getelementptr float, ptr %v3, i64 %v21
  br label %rounds28
rounds28:
  %v269 = phi i64 [0, %lanes26], [%v301, %after34]
  %v270 = phi i64 [%v268, %lanes26], [%v9, %after34]
  %v271 = icmp slt i64 %v269, %v270
  br i1 %v271, label %part29, label %after30
part29:
  %v272 = sub i64 %v270, %v269
  %v273 = trunc i64 %v272 to i32
  %v274 = insertelement <8 x i32> poison, i32 %v273, i64 0
  %v275 = shufflevector <8 x i32> %v274, <8 x i32> poison, <8 x i32> zeroinitializer
  %v276 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v275
  %v277 = getelementptr inbounds float, ptr %v14, i64 %v269
  %v282 = add i64 %v21, %v269
  %v284 = getelementptr float, ptr %v283, i64 %v269
  %v278 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v277, i32 4, <8 x i1> %v276, <8 x float> zeroinitializer)
  %v281 = fdiv <8 x float> %v278, %v280
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v281, ptr %v284, i32 4, <8 x i1> %v276)
  br label %after30
after30:
  %v285 = icmp sge i64 %v270, %v9
  br i1 %v285, label %after27, label %whole31
whole31:
  %v287 = icmp slt i64 %v270, %v286
  br i1 %v287, label %enter32, label %after34
enter32:
  br label %loop33
loop33:
  %v288 = phi i64 [%v270, %enter32], [%v299, %stored37]
  %v289 = getelementptr inbounds float, ptr %v14, i64 %v288
  %v290 = load <8 x float>, ptr %v289, align 4
  %v291 = fdiv <8 x float> %v290, %v280
  %v292 = add i64 %v21, %v288
  %v293 = getelementptr float, ptr %v283, i64 %v288
  %v294 = ptrtoint ptr %v293 to i64
  %v295 = and i64 %v294, 31
  %v296 = icmp eq i64 %v295, 0
  %v297 = and i1 %v296, %v18
  br i1 %v297, label %this35, label %that36
this35:
  store <8 x float> %v291, ptr %v293, align 32, !nontemporal !0
  br label %stored37
that36:
  store <8 x float> %v291, ptr %v293, align 4
  br label %stored37
stored37:
  %v298 = add i64 %v288, 8
  %v299 = call i64 @llvm.fshl.i64(i64 %v298, i64 %v298, i64 0)
  %v300 = icmp slt i64 %v299, %v286
  br i1 %v300, label %loop33, label %after34
after34:
  %v301 = phi i64 [%v270, %whole31], [%v299, %stored37]
  br label %rounds28
after27:
  %v302 = add i64 %v20, 1
  %v303 = call i64 @llvm.fshl.i64(i64 %v302, i64 %v302, i64 0)
  %v304 = icmp slt i64 %v303, %v17
  br i1 %v304, label %loop6, label %after7
after7:
  %v305 = phi i64 [%v15, %group2], [%v303, %after27]
  br label %next4
next4:
  %v306 = add i64 %v13, 1
  %v307 = call i64 @llvm.fshl.i64(i64 %v306, i64 %v306, i64 0)
  %v308 = icmp slt i64 %v307, %end
  br i1 %v308, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
