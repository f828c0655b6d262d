target triple = "x86_64-unknown-linux-gnu"
define void @max_sum_div(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v21 = alloca [32 x float], align 64
  %v144 = alloca [32 x float], align 64
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
  %v22 = sub i64 %v9, 31
  %v23 = icmp slt i64 0, %v22
  %v68 = getelementptr inbounds float, ptr %v21, i64 8
  %v69 = getelementptr inbounds float, ptr %v21, i64 16
  %v70 = getelementptr inbounds float, ptr %v21, i64 24
  %v131 = fcmp uno float 0xFFF0000000000000, 0xFFF0000000000000
  %v133 = icmp slt i64 0, %v9
  %v145 = getelementptr inbounds float, ptr %v144, i64 8
  %v146 = getelementptr inbounds float, ptr %v144, i64 16
  %v147 = getelementptr inbounds float, ptr %v144, i64 24
  %v266 = icmp sgt i64 %v9, 0
  %v267 = sub i64 %v9, 7
  %v268 = icmp slt i64 0, %v267
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v297, %next4]
  %v14 = mul i64 %v5, %v13
  %v15 = add i64 %v14, %v5
  %v16 = call i64 @llvm.smin.i64(i64 %v15, i64 %v7)
  %v18 = icmp slt i64 %v14, %v16
  br i1 %v18, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v19 = phi i64 [%v14, %enter5], [%v293, %after30]
  %v20 = mul i64 %v9, %v19
  br i1 %v23, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v24 = phi i64 [0, %enter8], [%v61, %loop9]
  %v25 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v35, %loop9]
  %v26 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v43, %loop9]
  %v27 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v51, %loop9]
  %v28 = phi <8 x float> [splat (float 0xFFF0000000000000), %enter8], [%v59, %loop9]
  %v29 = add i64 %v20, %v24
  %v30 = getelementptr inbounds float, ptr %v1, i64 %v29
  %v31 = load <8 x float>, ptr %v30, align 4
  %v32 = fcmp ogt <8 x float> %v25, %v31
  %v33 = select <8 x i1> %v32, <8 x float> %v25, <8 x float> %v31
  %v34 = fcmp uno <8 x float> %v25, %v25
  %v35 = select <8 x i1> %v34, <8 x float> %v25, <8 x float> %v33
  %v36 = add i64 %v24, 8
  %v37 = add i64 %v20, %v36
  %v38 = getelementptr inbounds float, ptr %v1, i64 %v37
  %v39 = load <8 x float>, ptr %v38, align 4
  %v40 = fcmp ogt <8 x float> %v26, %v39
  %v41 = select <8 x i1> %v40, <8 x float> %v26, <8 x float> %v39
  %v42 = fcmp uno <8 x float> %v26, %v26
  %v43 = select <8 x i1> %v42, <8 x float> %v26, <8 x float> %v41
  %v44 = add i64 %v24, 16
  %v45 = add i64 %v20, %v44
  %v46 = getelementptr inbounds float, ptr %v1, i64 %v45
  %v47 = load <8 x float>, ptr %v46, align 4
  %v48 = fcmp ogt <8 x float> %v27, %v47
  %v49 = select <8 x i1> %v48, <8 x float> %v27, <8 x float> %v47
  %v50 = fcmp uno <8 x float> %v27, %v27
  %v51 = select <8 x i1> %v50, <8 x float> %v27, <8 x float> %v49
  %v52 = add i64 %v24, 24
  %v53 = add i64 %v20, %v52
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
  store <8 x float> %v63, ptr %v21, align 32
  store <8 x float> %v64, ptr %v68, align 32
  store <8 x float> %v65, ptr %v69, align 32
  store <8 x float> %v66, ptr %v70, align 32
  %v71 = icmp slt i64 %v67, %v9
  br i1 %v71, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v72 = phi i64 [%v67, %enter11], [%v92, %loop12]
  %v73 = and i64 %v72, 31
  %v74 = sub i64 %v9, %v72
  %v75 = call i64 @llvm.umin.i64(i64 %v74, i64 8)
  %v76 = trunc i64 %v75 to i32
  %v77 = insertelement <8 x i32> poison, i32 %v76, i64 0
  %v78 = shufflevector <8 x i32> %v77, <8 x i32> poison, <8 x i32> zeroinitializer
  %v79 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v78
  %v80 = icmp sge i64 %v74, 8
  %v81 = add i64 %v20, %v72
  %v82 = getelementptr inbounds float, ptr %v1, i64 %v81
  %v83 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v82, i32 4, <8 x i1> %v79, <8 x float> zeroinitializer)
  %v84 = getelementptr inbounds float, ptr %v21, i64 %v73
  %v85 = load <8 x float>, ptr %v84, align 32
  %v86 = fcmp ogt <8 x float> %v85, %v83
  %v87 = select <8 x i1> %v86, <8 x float> %v85, <8 x float> %v83
  %v88 = fcmp uno <8 x float> %v85, %v85
  %v89 = select <8 x i1> %v88, <8 x float> %v85, <8 x float> %v87
  %v90 = select <8 x i1> %v79, <8 x float> %v89, <8 x float> %v85
  store <8 x float> %v90, ptr %v84, align 32
  %v91 = add i64 %v72, 8
  %v92 = call i64 @llvm.fshl.i64(i64 %v91, i64 %v91, i64 0)
  %v93 = icmp slt i64 %v92, %v9
  br i1 %v93, label %loop12, label %after13
after13:
  %v94 = phi i64 [%v67, %after10], [%v92, %loop12]
  %v95 = load <8 x float>, ptr %v21, align 32
  %v96 = load <8 x float>, ptr %v68, align 32
  %v97 = load <8 x float>, ptr %v69, align 32
  %v98 = load <8 x float>, ptr %v70, align 32
  %v99 = fcmp ogt <8 x float> %v95, %v97
  %v100 = select <8 x i1> %v99, <8 x float> %v95, <8 x float> %v97
  %v101 = fcmp uno <8 x float> %v95, %v95
  %v102 = select <8 x i1> %v101, <8 x float> %v95, <8 x float> %v100
  %v103 = fcmp ogt <8 x float> %v96, %v98
  %v104 = select <8 x i1> %v103, <8 x float> %v96, <8 x float> %v98
  %v105 = fcmp uno <8 x float> %v96, %v96
  %v106 = select <8 x i1> %v105, <8 x float> %v96, <8 x float> %v104
  %v107 = fcmp ogt <8 x float> %v102, %v106
  %v108 = select <8 x i1> %v107, <8 x float> %v102, <8 x float> %v106
  %v109 = fcmp uno <8 x float> %v102, %v102
  %v110 = select <8 x i1> %v109, <8 x float> %v102, <8 x float> %v108
  %v111 = shufflevector <8 x float> %v110, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v112 = shufflevector <8 x float> %v110, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v113 = fcmp ogt <4 x float> %v111, %v112
  %v114 = select <4 x i1> %v113, <4 x float> %v111, <4 x float> %v112
  %v115 = fcmp uno <4 x float> %v111, %v111
  %v116 = select <4 x i1> %v115, <4 x float> %v111, <4 x float> %v114
  %v117 = shufflevector <4 x float> %v116, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v118 = shufflevector <4 x float> %v116, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v119 = fcmp ogt <2 x float> %v117, %v118
  %v120 = select <2 x i1> %v119, <2 x float> %v117, <2 x float> %v118
  %v121 = fcmp uno <2 x float> %v117, %v117
  %v122 = select <2 x i1> %v121, <2 x float> %v117, <2 x float> %v120
  %v123 = extractelement <2 x float> %v122, i64 0
  %v124 = extractelement <2 x float> %v122, i64 1
  %v125 = fcmp ogt float %v123, %v124
  %v126 = select i1 %v125, float %v123, float %v124
  %v127 = fcmp uno float %v123, %v123
  %v128 = select i1 %v127, float %v123, float %v126
  %v129 = fcmp ogt float 0xFFF0000000000000, %v128
  %v130 = select i1 %v129, float 0xFFF0000000000000, float %v128
  %v132 = select i1 %v131, float 0xFFF0000000000000, float %v130
  br i1 %v133, label %enter14, label %after16
enter14:
  %v156 = insertelement <8 x float> poison, float %v132, i64 0
  %v157 = shufflevector <8 x float> %v156, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop15
loop15:
  %v134 = phi i64 [0, %enter14], [%v261, %after19]
  %v135 = phi float [0x0000000000000000, %enter14], [%v259, %after19]
  %v136 = add i64 %v134, 16384
  %v137 = call i64 @llvm.smin.i64(i64 %v136, i64 %v9)
  %v138 = icmp slt i64 %v134, %v137
  br i1 %v138, label %enter17, label %after19
enter17:
  br label %loop18
loop18:
  %v139 = phi i64 [%v134, %enter17], [%v255, %after25]
  %v140 = phi float [0x0000000000000000, %enter17], [%v253, %after25]
  %v141 = add i64 %v139, 512
  %v142 = call i64 @llvm.smin.i64(i64 %v141, i64 %v137)
  %v143 = sub i64 %v142, %v139
  store <8 x float> splat (float 0x0000000000000000), ptr %v144, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v145, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v146, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v147, align 32
  %v148 = sub i64 %v143, 7
  %v149 = icmp slt i64 0, %v148
  br i1 %v149, label %enter20, label %after22
enter20:
  br label %loop21
loop21:
  %v150 = phi i64 [0, %enter20], [%v187, %loop21]
  %v151 = and i64 %v150, 31
  %v152 = add i64 %v139, %v150
  %v153 = add i64 %v20, %v152
  %v154 = getelementptr inbounds float, ptr %v1, i64 %v153
  %v155 = load <8 x float>, ptr %v154, align 4
  %v158 = fsub <8 x float> %v155, %v157
  %v159 = fcmp ogt <8 x float> %v158, splat (float 0x4056400000000000)
  %v160 = select <8 x i1> %v159, <8 x float> splat (float 0x4056400000000000), <8 x float> %v158
  %v161 = fcmp olt <8 x float> %v160, splat (float 0xC05A000000000000)
  %v162 = select <8 x i1> %v161, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v160
  %v163 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v162, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v164 = fsub <8 x float> %v163, splat (float 0x4168000FC0000000)
  %v165 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v164, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v162)
  %v166 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v164, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v165)
  %v167 = bitcast <8 x float> %v163 to <8 x i32>
  %v168 = shl <8 x i32> %v167, splat (i32 23)
  %v169 = fmul <8 x float> %v166, %v166
  %v170 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v169, <8 x float> splat (float 0x3FA55585A0000000))
  %v171 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v170, <8 x float> %v169, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v172 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v169, <8 x float> splat (float 0x3FC55548C0000000))
  %v173 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v172, <8 x float> %v166, <8 x float> %v171)
  %v174 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v169, <8 x float> %v173, <8 x float> %v166)
  %v175 = fcmp olt <8 x float> %v162, splat (float 0xC050000000000000)
  %v176 = select <8 x i1> %v175, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v177 = add <8 x i32> %v168, %v176
  %v178 = bitcast <8 x i32> %v177 to <8 x float>
  %v179 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v174, <8 x float> %v178, <8 x float> %v178)
  %v180 = select <8 x i1> %v175, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v181 = fmul <8 x float> %v179, %v180
  %v182 = getelementptr inbounds float, ptr %v3, i64 %v153
  store <8 x float> %v181, ptr %v182, align 4
  %v183 = getelementptr inbounds float, ptr %v144, i64 %v151
  %v184 = load <8 x float>, ptr %v183, align 32
  %v185 = fadd <8 x float> %v184, %v181
  store <8 x float> %v185, ptr %v183, align 32
  %v186 = add i64 %v150, 8
  %v187 = call i64 @llvm.fshl.i64(i64 %v186, i64 %v186, i64 0)
  %v188 = icmp slt i64 %v187, %v148
  br i1 %v188, label %loop21, label %after22
after22:
  %v189 = phi i64 [0, %loop18], [%v187, %loop21]
  %v190 = icmp slt i64 %v189, %v143
  br i1 %v190, label %enter23, label %after25
enter23:
  br label %loop24
loop24:
  %v191 = phi i64 [%v189, %enter23], [%v234, %stored28]
  %v192 = and i64 %v191, 31
  %v193 = sub i64 %v143, %v191
  %v194 = call i64 @llvm.umin.i64(i64 %v193, i64 8)
  %v195 = trunc i64 %v194 to i32
  %v196 = insertelement <8 x i32> poison, i32 %v195, i64 0
  %v197 = shufflevector <8 x i32> %v196, <8 x i32> poison, <8 x i32> zeroinitializer
  %v198 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v197
  %v199 = icmp sge i64 %v193, 8
  %v200 = add i64 %v139, %v191
  %v201 = add i64 %v20, %v200
  %v202 = getelementptr inbounds float, ptr %v1, i64 %v201
  %v203 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v202, i32 4, <8 x i1> %v198, <8 x float> zeroinitializer)
  %v204 = fsub <8 x float> %v203, %v157
  %v205 = fcmp ogt <8 x float> %v204, splat (float 0x4056400000000000)
  %v206 = select <8 x i1> %v205, <8 x float> splat (float 0x4056400000000000), <8 x float> %v204
  %v207 = fcmp olt <8 x float> %v206, splat (float 0xC05A000000000000)
  %v208 = select <8 x i1> %v207, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v206
  %v209 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v208, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v210 = fsub <8 x float> %v209, splat (float 0x4168000FC0000000)
  %v211 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v210, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v208)
  %v212 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v210, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v211)
  %v213 = bitcast <8 x float> %v209 to <8 x i32>
  %v214 = shl <8 x i32> %v213, splat (i32 23)
  %v215 = fmul <8 x float> %v212, %v212
  %v216 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v215, <8 x float> splat (float 0x3FA55585A0000000))
  %v217 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v216, <8 x float> %v215, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v218 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v215, <8 x float> splat (float 0x3FC55548C0000000))
  %v219 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v218, <8 x float> %v212, <8 x float> %v217)
  %v220 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v215, <8 x float> %v219, <8 x float> %v212)
  %v221 = fcmp olt <8 x float> %v208, splat (float 0xC050000000000000)
  %v222 = select <8 x i1> %v221, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v223 = add <8 x i32> %v214, %v222
  %v224 = bitcast <8 x i32> %v223 to <8 x float>
  %v225 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v220, <8 x float> %v224, <8 x float> %v224)
  %v226 = select <8 x i1> %v221, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v227 = fmul <8 x float> %v225, %v226
  %v228 = getelementptr inbounds float, ptr %v3, i64 %v201
  br i1 %v199, label %this26, label %that27
this26:
  store <8 x float> %v227, ptr %v228, align 4
  br label %stored28
that27:
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v227, ptr %v228, i32 4, <8 x i1> %v198)
  br label %stored28
stored28:
  %v229 = getelementptr inbounds float, ptr %v144, i64 %v192
  %v230 = load <8 x float>, ptr %v229, align 32
  %v231 = fadd <8 x float> %v230, %v227
  %v232 = select <8 x i1> %v198, <8 x float> %v231, <8 x float> %v230
  store <8 x float> %v232, ptr %v229, align 32
  %v233 = add i64 %v191, 8
  %v234 = call i64 @llvm.fshl.i64(i64 %v233, i64 %v233, i64 0)
  %v235 = icmp slt i64 %v234, %v143
  br i1 %v235, label %loop24, label %after25
after25:
  %v236 = phi i64 [%v189, %after22], [%v234, %stored28]
  %v237 = load <8 x float>, ptr %v144, align 32
  %v238 = load <8 x float>, ptr %v145, align 32
  %v239 = load <8 x float>, ptr %v146, align 32
  %v240 = load <8 x float>, ptr %v147, align 32
  %v241 = fadd <8 x float> %v237, %v239
  %v242 = fadd <8 x float> %v238, %v240
  %v243 = fadd <8 x float> %v241, %v242
  %v244 = shufflevector <8 x float> %v243, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v245 = shufflevector <8 x float> %v243, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v246 = fadd <4 x float> %v244, %v245
  %v247 = shufflevector <4 x float> %v246, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v248 = shufflevector <4 x float> %v246, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v249 = fadd <2 x float> %v247, %v248
  %v250 = extractelement <2 x float> %v249, i64 0
  %v251 = extractelement <2 x float> %v249, i64 1
  %v252 = fadd float %v250, %v251
  %v253 = fadd float %v140, %v252
  %v254 = add i64 %v139, 512
  %v255 = call i64 @llvm.fshl.i64(i64 %v254, i64 %v254, i64 0)
  %v256 = icmp slt i64 %v255, %v137
  br i1 %v256, label %loop18, label %after19
after19:
  %v257 = phi float [0x0000000000000000, %loop15], [%v253, %after25]
  %v258 = phi i64 [%v134, %loop15], [%v255, %after25]
  %v259 = fadd float %v135, %v257
  %v260 = add i64 %v134, 16384
  %v261 = call i64 @llvm.fshl.i64(i64 %v260, i64 %v260, i64 0)
  %v262 = icmp slt i64 %v261, %v9
  br i1 %v262, label %loop15, label %after16
after16:
  %v263 = phi float [0x0000000000000000, %after13], [%v259, %after19]
  %v264 = phi i64 [0, %after13], [%v261, %after19]
  %v265 = fadd float 0x0000000000000000, %v263
  br i1 %v266, label %lanes29, label %after30
lanes29:
  %v273 = insertelement <8 x float> poison, float %v265, i64 0
  %v274 = shufflevector <8 x float> %v273, <8 x float> poison, <8 x i32> zeroinitializer
  br i1 %v268, label %enter31, label %after33
enter31:
  br label %loop32
loop32:
  %v269 = phi i64 [0, %enter31], [%v277, %loop32]
  %v270 = add i64 %v20, %v269
  %v271 = getelementptr inbounds float, ptr %v3, i64 %v270
  %v272 = load <8 x float>, ptr %v271, align 4
  %v275 = fdiv <8 x float> %v272, %v274
  store <8 x float> %v275, ptr %v271, align 4
  %v276 = add i64 %v269, 8
  %v277 = call i64 @llvm.fshl.i64(i64 %v276, i64 %v276, i64 0)
  %v278 = icmp slt i64 %v277, %v267
  br i1 %v278, label %loop32, label %after33
after33:
  %v279 = phi i64 [0, %lanes29], [%v277, %loop32]
  %v280 = icmp slt i64 %v279, %v9
  br i1 %v280, label %part34, label %after35
part34:
  %v281 = sub i64 %v9, %v279
  %v282 = call i64 @llvm.umin.i64(i64 %v281, i64 8)
  %v283 = trunc i64 %v282 to i32
  %v284 = insertelement <8 x i32> poison, i32 %v283, i64 0
  %v285 = shufflevector <8 x i32> %v284, <8 x i32> poison, <8 x i32> zeroinitializer
  %v286 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v285
  %v287 = icmp sge i64 %v281, 8
  %v288 = add i64 %v20, %v279
  %v289 = getelementptr inbounds float, ptr %v3, i64 %v288
  %v290 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v289, i32 4, <8 x i1> %v286, <8 x float> zeroinitializer)
  %v291 = fdiv <8 x float> %v290, %v274
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v291, ptr %v289, i32 4, <8 x i1> %v286)
  br label %after35
after35:
  br label %after30
after30:
  %v292 = add i64 %v19, 1
  %v293 = call i64 @llvm.fshl.i64(i64 %v292, i64 %v292, i64 0)
  %v294 = icmp slt i64 %v293, %v16
  br i1 %v294, label %loop6, label %after7
after7:
  %v295 = phi i64 [%v14, %group2], [%v293, %after30]
  br label %next4
next4:
  %v296 = add i64 %v13, 1
  %v297 = call i64 @llvm.fshl.i64(i64 %v296, i64 %v296, i64 0)
  %v298 = icmp slt i64 %v297, %end
  br i1 %v298, label %group2, label %finished3
finished3:
  ret void
}
