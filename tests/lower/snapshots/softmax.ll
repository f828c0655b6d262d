target triple = "x86_64-unknown-linux-gnu"
define void @max_sum_div(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v27 = alloca [32 x float], align 64
  %v154 = alloca [32 x float], align 64
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
  %v78 = getelementptr inbounds float, ptr %v27, i64 8
  %v79 = getelementptr inbounds float, ptr %v27, i64 16
  %v80 = getelementptr inbounds float, ptr %v27, i64 24
  %v155 = getelementptr inbounds float, ptr %v154, i64 8
  %v156 = getelementptr inbounds float, ptr %v154, i64 16
  %v157 = getelementptr inbounds float, ptr %v154, i64 24
  %v269 = icmp sgt i64 %v9, 0
  %v270 = sub i64 %v9, 7
  %v271 = icmp slt i64 0, %v270
  br label %group2
group2:
  %v13 = phi i64 [%begin, %groups1], [%v300, %next4]
  %v14 = mul i64 %v5, %v13
  %v15 = add i64 %v14, %v5
  %v16 = call i64 @llvm.smin.i64(i64 %v15, i64 %v7)
  %v18 = icmp slt i64 %v14, %v16
  br i1 %v18, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v19 = phi i64 [%v14, %enter5], [%v296, %after30]
  %v20 = mul i64 %v9, %v19
  br i1 %v21, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v22 = phi i64 [0, %enter8], [%v145, %after16]
  %v23 = phi float [0xFFF0000000000000, %enter8], [%v143, %after16]
  %v24 = add i64 %v22, 4096
  %v25 = call i64 @llvm.smin.i64(i64 %v24, i64 %v9)
  %v26 = sub i64 %v25, %v22
  %v28 = sub i64 %v26, 31
  %v29 = icmp slt i64 0, %v28
  br i1 %v29, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v30 = phi i64 [0, %enter11], [%v71, %loop12]
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
  %v71 = call i64 @llvm.fshl.i64(i64 %v70, i64 %v70, i64 0)
  %v72 = icmp slt i64 %v71, %v28
  br i1 %v72, label %loop12, label %after13
after13:
  %v73 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop9], [%v42, %loop12]
  %v74 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop9], [%v51, %loop12]
  %v75 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop9], [%v60, %loop12]
  %v76 = phi <8 x float> [splat (float 0xFFF0000000000000), %loop9], [%v69, %loop12]
  %v77 = phi i64 [0, %loop9], [%v71, %loop12]
  store <8 x float> %v73, ptr %v27, align 32
  store <8 x float> %v74, ptr %v78, align 32
  store <8 x float> %v75, ptr %v79, align 32
  store <8 x float> %v76, ptr %v80, align 32
  %v81 = icmp slt i64 %v77, %v26
  br i1 %v81, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v82 = phi i64 [%v77, %enter14], [%v103, %loop15]
  %v83 = and i64 %v82, 31
  %v84 = sub i64 %v26, %v82
  %v85 = call i64 @llvm.umin.i64(i64 %v84, i64 8)
  %v86 = trunc i64 %v85 to i32
  %v87 = insertelement <8 x i32> poison, i32 %v86, i64 0
  %v88 = shufflevector <8 x i32> %v87, <8 x i32> poison, <8 x i32> zeroinitializer
  %v89 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v88
  %v90 = icmp sge i64 %v84, 8
  %v91 = add i64 %v22, %v82
  %v92 = add i64 %v20, %v91
  %v93 = getelementptr inbounds float, ptr %v1, i64 %v92
  %v94 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v93, i32 4, <8 x i1> %v89, <8 x float> zeroinitializer)
  %v95 = getelementptr inbounds float, ptr %v27, i64 %v83
  %v96 = load <8 x float>, ptr %v95, align 32
  %v97 = fcmp ogt <8 x float> %v96, %v94
  %v98 = select <8 x i1> %v97, <8 x float> %v96, <8 x float> %v94
  %v99 = fcmp uno <8 x float> %v96, %v96
  %v100 = select <8 x i1> %v99, <8 x float> %v96, <8 x float> %v98
  %v101 = select <8 x i1> %v89, <8 x float> %v100, <8 x float> %v96
  store <8 x float> %v101, ptr %v95, align 32
  %v102 = add i64 %v82, 8
  %v103 = call i64 @llvm.fshl.i64(i64 %v102, i64 %v102, i64 0)
  %v104 = icmp slt i64 %v103, %v26
  br i1 %v104, label %loop15, label %after16
after16:
  %v105 = phi i64 [%v77, %after13], [%v103, %loop15]
  %v106 = load <8 x float>, ptr %v27, align 32
  %v107 = load <8 x float>, ptr %v78, align 32
  %v108 = load <8 x float>, ptr %v79, align 32
  %v109 = load <8 x float>, ptr %v80, align 32
  %v110 = fcmp ogt <8 x float> %v106, %v108
  %v111 = select <8 x i1> %v110, <8 x float> %v106, <8 x float> %v108
  %v112 = fcmp uno <8 x float> %v106, %v106
  %v113 = select <8 x i1> %v112, <8 x float> %v106, <8 x float> %v111
  %v114 = fcmp ogt <8 x float> %v107, %v109
  %v115 = select <8 x i1> %v114, <8 x float> %v107, <8 x float> %v109
  %v116 = fcmp uno <8 x float> %v107, %v107
  %v117 = select <8 x i1> %v116, <8 x float> %v107, <8 x float> %v115
  %v118 = fcmp ogt <8 x float> %v113, %v117
  %v119 = select <8 x i1> %v118, <8 x float> %v113, <8 x float> %v117
  %v120 = fcmp uno <8 x float> %v113, %v113
  %v121 = select <8 x i1> %v120, <8 x float> %v113, <8 x float> %v119
  %v122 = shufflevector <8 x float> %v121, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v123 = shufflevector <8 x float> %v121, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v124 = fcmp ogt <4 x float> %v122, %v123
  %v125 = select <4 x i1> %v124, <4 x float> %v122, <4 x float> %v123
  %v126 = fcmp uno <4 x float> %v122, %v122
  %v127 = select <4 x i1> %v126, <4 x float> %v122, <4 x float> %v125
  %v128 = shufflevector <4 x float> %v127, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v129 = shufflevector <4 x float> %v127, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v130 = fcmp ogt <2 x float> %v128, %v129
  %v131 = select <2 x i1> %v130, <2 x float> %v128, <2 x float> %v129
  %v132 = fcmp uno <2 x float> %v128, %v128
  %v133 = select <2 x i1> %v132, <2 x float> %v128, <2 x float> %v131
  %v134 = extractelement <2 x float> %v133, i64 0
  %v135 = extractelement <2 x float> %v133, i64 1
  %v136 = fcmp ogt float %v134, %v135
  %v137 = select i1 %v136, float %v134, float %v135
  %v138 = fcmp uno float %v134, %v134
  %v139 = select i1 %v138, float %v134, float %v137
  %v140 = fcmp ogt float %v23, %v139
  %v141 = select i1 %v140, float %v23, float %v139
  %v142 = fcmp uno float %v23, %v23
  %v143 = select i1 %v142, float %v23, float %v141
  %v144 = add i64 %v22, 4096
  %v145 = call i64 @llvm.fshl.i64(i64 %v144, i64 %v144, i64 0)
  %v146 = icmp slt i64 %v145, %v9
  br i1 %v146, label %loop9, label %after10
after10:
  %v147 = phi float [0xFFF0000000000000, %loop6], [%v143, %after16]
  %v148 = phi i64 [0, %loop6], [%v145, %after16]
  br i1 %v21, label %enter17, label %after19
enter17:
  %v166 = insertelement <8 x float> poison, float %v147, i64 0
  %v167 = shufflevector <8 x float> %v166, <8 x float> poison, <8 x i32> zeroinitializer
  br label %loop18
loop18:
  %v149 = phi i64 [0, %enter17], [%v265, %after25]
  %v150 = phi float [0x0000000000000000, %enter17], [%v263, %after25]
  %v151 = add i64 %v149, 4096
  %v152 = call i64 @llvm.smin.i64(i64 %v151, i64 %v9)
  %v153 = sub i64 %v152, %v149
  store <8 x float> splat (float 0x0000000000000000), ptr %v154, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v155, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v156, align 32
  store <8 x float> splat (float 0x0000000000000000), ptr %v157, align 32
  %v158 = sub i64 %v153, 7
  %v159 = icmp slt i64 0, %v158
  br i1 %v159, label %enter20, label %after22
enter20:
  br label %loop21
loop21:
  %v160 = phi i64 [0, %enter20], [%v197, %loop21]
  %v161 = and i64 %v160, 31
  %v162 = add i64 %v149, %v160
  %v163 = add i64 %v20, %v162
  %v164 = getelementptr inbounds float, ptr %v1, i64 %v163
  %v165 = load <8 x float>, ptr %v164, align 4
  %v168 = fsub <8 x float> %v165, %v167
  %v169 = fcmp ogt <8 x float> %v168, splat (float 0x4056400000000000)
  %v170 = select <8 x i1> %v169, <8 x float> splat (float 0x4056400000000000), <8 x float> %v168
  %v171 = fcmp olt <8 x float> %v170, splat (float 0xC05A000000000000)
  %v172 = select <8 x i1> %v171, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v170
  %v173 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v172, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v174 = fsub <8 x float> %v173, splat (float 0x4168000FC0000000)
  %v175 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v174, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v172)
  %v176 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v174, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v175)
  %v177 = fmul <8 x float> %v176, %v176
  %v178 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v177, <8 x float> splat (float 0x3FA55585A0000000))
  %v179 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v178, <8 x float> %v177, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v180 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v177, <8 x float> splat (float 0x3FC55548C0000000))
  %v181 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v180, <8 x float> %v176, <8 x float> %v179)
  %v182 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v177, <8 x float> %v181, <8 x float> %v176)
  %v183 = bitcast <8 x float> %v173 to <8 x i32>
  %v184 = shl <8 x i32> %v183, splat (i32 23)
  %v185 = fcmp olt <8 x float> %v172, splat (float 0xC050000000000000)
  %v186 = select <8 x i1> %v185, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v187 = add <8 x i32> %v184, %v186
  %v188 = bitcast <8 x i32> %v187 to <8 x float>
  %v189 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v182, <8 x float> %v188, <8 x float> %v188)
  %v190 = select <8 x i1> %v185, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v191 = fmul <8 x float> %v189, %v190
  %v192 = getelementptr inbounds float, ptr %v3, i64 %v163
  store <8 x float> %v191, ptr %v192, align 4
  %v193 = getelementptr inbounds float, ptr %v154, i64 %v161
  %v194 = load <8 x float>, ptr %v193, align 32
  %v195 = fadd <8 x float> %v194, %v191
  store <8 x float> %v195, ptr %v193, align 32
  %v196 = add i64 %v160, 8
  %v197 = call i64 @llvm.fshl.i64(i64 %v196, i64 %v196, i64 0)
  %v198 = icmp slt i64 %v197, %v158
  br i1 %v198, label %loop21, label %after22
after22:
  %v199 = phi i64 [0, %loop18], [%v197, %loop21]
  %v200 = icmp slt i64 %v199, %v153
  br i1 %v200, label %enter23, label %after25
enter23:
  br label %loop24
loop24:
  %v201 = phi i64 [%v199, %enter23], [%v244, %stored28]
  %v202 = and i64 %v201, 31
  %v203 = sub i64 %v153, %v201
  %v204 = call i64 @llvm.umin.i64(i64 %v203, i64 8)
  %v205 = trunc i64 %v204 to i32
  %v206 = insertelement <8 x i32> poison, i32 %v205, i64 0
  %v207 = shufflevector <8 x i32> %v206, <8 x i32> poison, <8 x i32> zeroinitializer
  %v208 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v207
  %v209 = icmp sge i64 %v203, 8
  %v210 = add i64 %v149, %v201
  %v211 = add i64 %v20, %v210
  %v212 = getelementptr inbounds float, ptr %v1, i64 %v211
  %v213 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v212, i32 4, <8 x i1> %v208, <8 x float> zeroinitializer)
  %v214 = fsub <8 x float> %v213, %v167
  %v215 = fcmp ogt <8 x float> %v214, splat (float 0x4056400000000000)
  %v216 = select <8 x i1> %v215, <8 x float> splat (float 0x4056400000000000), <8 x float> %v214
  %v217 = fcmp olt <8 x float> %v216, splat (float 0xC05A000000000000)
  %v218 = select <8 x i1> %v217, <8 x float> splat (float 0xC05A000000000000), <8 x float> %v216
  %v219 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v218, <8 x float> splat (float 0x3FF7154760000000), <8 x float> splat (float 0x4168000FC0000000))
  %v220 = fsub <8 x float> %v219, splat (float 0x4168000FC0000000)
  %v221 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v220, <8 x float> splat (float 0xBFE62E4000000000), <8 x float> %v218)
  %v222 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v220, <8 x float> splat (float 0xBEB7F7D1C0000000), <8 x float> %v221)
  %v223 = fmul <8 x float> %v222, %v222
  %v224 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F56AC7080000000), <8 x float> %v223, <8 x float> splat (float 0x3FA55585A0000000))
  %v225 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v224, <8 x float> %v223, <8 x float> splat (float 0x3FDFFFFFC0000000))
  %v226 = call <8 x float> @llvm.fma.v8f32(<8 x float> splat (float 0x3F8123E0A0000000), <8 x float> %v223, <8 x float> splat (float 0x3FC55548C0000000))
  %v227 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v226, <8 x float> %v222, <8 x float> %v225)
  %v228 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v223, <8 x float> %v227, <8 x float> %v222)
  %v229 = bitcast <8 x float> %v219 to <8 x i32>
  %v230 = shl <8 x i32> %v229, splat (i32 23)
  %v231 = fcmp olt <8 x float> %v218, splat (float 0xC050000000000000)
  %v232 = select <8 x i1> %v231, <8 x i32> splat (i32 545259520), <8 x i32> splat (i32 0)
  %v233 = add <8 x i32> %v230, %v232
  %v234 = bitcast <8 x i32> %v233 to <8 x float>
  %v235 = call <8 x float> @llvm.fma.v8f32(<8 x float> %v228, <8 x float> %v234, <8 x float> %v234)
  %v236 = select <8 x i1> %v231, <8 x float> splat (float 0x3BF0000000000000), <8 x float> splat (float 0x4000000000000000)
  %v237 = fmul <8 x float> %v235, %v236
  %v238 = getelementptr inbounds float, ptr %v3, i64 %v211
  br i1 %v209, label %this26, label %that27
this26:
  store <8 x float> %v237, ptr %v238, align 4
  br label %stored28
that27:
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v237, ptr %v238, i32 4, <8 x i1> %v208)
  br label %stored28
stored28:
  %v239 = getelementptr inbounds float, ptr %v154, i64 %v202
  %v240 = load <8 x float>, ptr %v239, align 32
  %v241 = fadd <8 x float> %v240, %v237
  %v242 = select <8 x i1> %v208, <8 x float> %v241, <8 x float> %v240
  store <8 x float> %v242, ptr %v239, align 32
  %v243 = add i64 %v201, 8
  %v244 = call i64 @llvm.fshl.i64(i64 %v243, i64 %v243, i64 0)
  %v245 = icmp slt i64 %v244, %v153
  br i1 %v245, label %loop24, label %after25
after25:
  %v246 = phi i64 [%v199, %after22], [%v244, %stored28]
  %v247 = load <8 x float>, ptr %v154, align 32
  %v248 = load <8 x float>, ptr %v155, align 32
  %v249 = load <8 x float>, ptr %v156, align 32
  %v250 = load <8 x float>, ptr %v157, align 32
  %v251 = fadd <8 x float> %v247, %v249
  %v252 = fadd <8 x float> %v248, %v250
  %v253 = fadd <8 x float> %v251, %v252
  %v254 = shufflevector <8 x float> %v253, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v255 = shufflevector <8 x float> %v253, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v256 = fadd <4 x float> %v254, %v255
  %v257 = shufflevector <4 x float> %v256, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v258 = shufflevector <4 x float> %v256, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v259 = fadd <2 x float> %v257, %v258
  %v260 = extractelement <2 x float> %v259, i64 0
  %v261 = extractelement <2 x float> %v259, i64 1
  %v262 = fadd float %v260, %v261
  %v263 = fadd float %v150, %v262
  %v264 = add i64 %v149, 4096
  %v265 = call i64 @llvm.fshl.i64(i64 %v264, i64 %v264, i64 0)
  %v266 = icmp slt i64 %v265, %v9
  br i1 %v266, label %loop18, label %after19
after19:
  %v267 = phi float [0x0000000000000000, %after10], [%v263, %after25]
  %v268 = phi i64 [0, %after10], [%v265, %after25]
  br i1 %v269, label %lanes29, label %after30
lanes29:
  %v276 = insertelement <8 x float> poison, float %v267, i64 0
  %v277 = shufflevector <8 x float> %v276, <8 x float> poison, <8 x i32> zeroinitializer
  br i1 %v271, label %enter31, label %after33
enter31:
  br label %loop32
loop32:
  %v272 = phi i64 [0, %enter31], [%v280, %loop32]
  %v273 = add i64 %v20, %v272
  %v274 = getelementptr inbounds float, ptr %v3, i64 %v273
  %v275 = load <8 x float>, ptr %v274, align 4
  %v278 = fdiv <8 x float> %v275, %v277
  store <8 x float> %v278, ptr %v274, align 4
  %v279 = add i64 %v272, 8
  %v280 = call i64 @llvm.fshl.i64(i64 %v279, i64 %v279, i64 0)
  %v281 = icmp slt i64 %v280, %v270
  br i1 %v281, label %loop32, label %after33
after33:
  %v282 = phi i64 [0, %lanes29], [%v280, %loop32]
  %v283 = icmp slt i64 %v282, %v9
  br i1 %v283, label %part34, label %after35
part34:
  %v284 = sub i64 %v9, %v282
  %v285 = call i64 @llvm.umin.i64(i64 %v284, i64 8)
  %v286 = trunc i64 %v285 to i32
  %v287 = insertelement <8 x i32> poison, i32 %v286, i64 0
  %v288 = shufflevector <8 x i32> %v287, <8 x i32> poison, <8 x i32> zeroinitializer
  %v289 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v288
  %v290 = icmp sge i64 %v284, 8
  %v291 = add i64 %v20, %v282
  %v292 = getelementptr inbounds float, ptr %v3, i64 %v291
  %v293 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v292, i32 4, <8 x i1> %v289, <8 x float> zeroinitializer)
  %v294 = fdiv <8 x float> %v293, %v277
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v294, ptr %v292, i32 4, <8 x i1> %v289)
  br label %after35
after35:
  br label %after30
after30:
  %v295 = add i64 %v19, 1
  %v296 = call i64 @llvm.fshl.i64(i64 %v295, i64 %v295, i64 0)
  %v297 = icmp slt i64 %v296, %v16
  br i1 %v297, label %loop6, label %after7
after7:
  %v298 = phi i64 [%v14, %group2], [%v296, %after30]
  br label %next4
next4:
  %v299 = add i64 %v13, 1
  %v300 = call i64 @llvm.fshl.i64(i64 %v299, i64 %v299, i64 0)
  %v301 = icmp slt i64 %v300, %end
  br i1 %v301, label %group2, label %finished3
finished3:
  ret void
}
