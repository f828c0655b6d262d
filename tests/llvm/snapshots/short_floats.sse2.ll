target triple = "x86_64-unknown-linux-gnu"
define void @short_floats(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load i64, ptr %v4, align 8
  %v6 = icmp slt i64 %begin, %end
  br i1 %v6, label %groups1, label %finished3
groups1:
  %v8 = icmp sgt i64 %v5, 0
  %v9 = sub i64 %v5, 3
  %v10 = icmp slt i64 0, %v9
  br label %group2
group2:
  %v7 = phi i64 [%begin, %groups1], [%v266, %next4]
  br i1 %v8, label %lanes5, label %after6
lanes5:
  br i1 %v10, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v11 = phi i64 [0, %enter7], [%v135, %loop8]
  %v12 = getelementptr inbounds i16, ptr %v1, i64 %v11
  %v13 = load <4 x i16>, ptr %v12, align 2
  %v14 = zext <4 x i16> %v13 to <4 x i32>
  %v15 = and <4 x i32> %v14, splat (i32 32767)
  %v16 = shl <4 x i32> %v15, splat (i32 13)
  %v17 = bitcast <4 x i32> %v16 to <4 x float>
  %v18 = fmul <4 x float> %v17, splat (float 0x46F0000000000000)
  %v19 = bitcast <4 x float> %v18 to <4 x i32>
  %v20 = or <4 x i32> %v16, splat (i32 2139095040)
  %v21 = icmp ugt <4 x i32> %v15, splat (i32 31744)
  %v22 = select <4 x i1> %v21, <4 x i32> splat (i32 4194304), <4 x i32> splat (i32 0)
  %v23 = or <4 x i32> %v20, %v22
  %v24 = icmp uge <4 x i32> %v15, splat (i32 31744)
  %v25 = select <4 x i1> %v24, <4 x i32> %v23, <4 x i32> %v19
  %v26 = and <4 x i32> %v14, splat (i32 32768)
  %v27 = shl <4 x i32> %v26, splat (i32 16)
  %v28 = or <4 x i32> %v25, %v27
  %v29 = bitcast <4 x i32> %v28 to <4 x float>
  %v30 = fadd <4 x float> %v29, %v29
  %v31 = bitcast <4 x float> %v30 to <4 x i32>
  %v32 = and <4 x i32> %v31, splat (i32 2147483647)
  %v33 = lshr <4 x i32> %v32, splat (i32 13)
  %v34 = and <4 x i32> %v33, splat (i32 1)
  %v35 = add <4 x i32> %v32, splat (i32 -939520001)
  %v36 = add <4 x i32> %v35, %v34
  %v37 = lshr <4 x i32> %v36, splat (i32 13)
  %v38 = bitcast <4 x i32> %v32 to <4 x float>
  %v39 = fadd <4 x float> %v38, splat (float 0x3FE0000000000000)
  %v40 = bitcast <4 x float> %v39 to <4 x i32>
  %v41 = sub <4 x i32> %v40, splat (i32 1056964608)
  %v42 = icmp ult <4 x i32> %v32, splat (i32 947912704)
  %v43 = select <4 x i1> %v42, <4 x i32> %v41, <4 x i32> %v37
  %v44 = icmp ugt <4 x i32> %v32, splat (i32 2139095040)
  %v45 = and <4 x i32> %v33, splat (i32 1023)
  %v46 = or <4 x i32> %v45, splat (i32 32256)
  %v47 = select <4 x i1> %v44, <4 x i32> %v46, <4 x i32> splat (i32 31744)
  %v48 = icmp uge <4 x i32> %v32, splat (i32 1199566848)
  %v49 = select <4 x i1> %v48, <4 x i32> %v47, <4 x i32> %v43
  %v50 = lshr <4 x i32> %v31, splat (i32 16)
  %v51 = and <4 x i32> %v50, splat (i32 32768)
  %v52 = or <4 x i32> %v49, %v51
  %v53 = trunc <4 x i32> %v52 to <4 x i16>
  %v54 = zext <4 x i16> %v53 to <4 x i32>
  %v55 = and <4 x i32> %v54, splat (i32 32767)
  %v56 = shl <4 x i32> %v55, splat (i32 13)
  %v57 = bitcast <4 x i32> %v56 to <4 x float>
  %v58 = fmul <4 x float> %v57, splat (float 0x46F0000000000000)
  %v59 = bitcast <4 x float> %v58 to <4 x i32>
  %v60 = or <4 x i32> %v56, splat (i32 2139095040)
  %v61 = icmp ugt <4 x i32> %v55, splat (i32 31744)
  %v62 = select <4 x i1> %v61, <4 x i32> splat (i32 4194304), <4 x i32> splat (i32 0)
  %v63 = or <4 x i32> %v60, %v62
  %v64 = icmp uge <4 x i32> %v55, splat (i32 31744)
  %v65 = select <4 x i1> %v64, <4 x i32> %v63, <4 x i32> %v59
  %v66 = and <4 x i32> %v54, splat (i32 32768)
  %v67 = shl <4 x i32> %v66, splat (i32 16)
  %v68 = or <4 x i32> %v65, %v67
  %v69 = bitcast <4 x i32> %v68 to <4 x float>
  %v70 = call <4 x float> @llvm.fabs.v4f32(<4 x float> %v69)
  %v71 = fadd <4 x float> %v70, splat (float 0x4160000000000000)
  %v72 = fsub <4 x float> %v71, splat (float 0x4160000000000000)
  %v73 = call <4 x float> @llvm.copysign.v4f32(<4 x float> %v72, <4 x float> %v69)
  %v74 = fcmp ogt <4 x float> %v73, %v69
  %v75 = fsub <4 x float> %v73, splat (float 0x3FF0000000000000)
  %v76 = select <4 x i1> %v74, <4 x float> %v75, <4 x float> %v73
  %v77 = call <4 x float> @llvm.copysign.v4f32(<4 x float> %v76, <4 x float> %v69)
  %v78 = fcmp olt <4 x float> %v70, splat (float 0x4160000000000000)
  %v79 = select <4 x i1> %v78, <4 x float> %v77, <4 x float> %v69
  %v80 = bitcast <4 x float> %v79 to <4 x i32>
  %v81 = and <4 x i32> %v80, splat (i32 2147483647)
  %v82 = lshr <4 x i32> %v81, splat (i32 13)
  %v83 = and <4 x i32> %v82, splat (i32 1)
  %v84 = add <4 x i32> %v81, splat (i32 -939520001)
  %v85 = add <4 x i32> %v84, %v83
  %v86 = lshr <4 x i32> %v85, splat (i32 13)
  %v87 = bitcast <4 x i32> %v81 to <4 x float>
  %v88 = fadd <4 x float> %v87, splat (float 0x3FE0000000000000)
  %v89 = bitcast <4 x float> %v88 to <4 x i32>
  %v90 = sub <4 x i32> %v89, splat (i32 1056964608)
  %v91 = icmp ult <4 x i32> %v81, splat (i32 947912704)
  %v92 = select <4 x i1> %v91, <4 x i32> %v90, <4 x i32> %v86
  %v93 = icmp ugt <4 x i32> %v81, splat (i32 2139095040)
  %v94 = and <4 x i32> %v82, splat (i32 1023)
  %v95 = or <4 x i32> %v94, splat (i32 32256)
  %v96 = select <4 x i1> %v93, <4 x i32> %v95, <4 x i32> splat (i32 31744)
  %v97 = icmp uge <4 x i32> %v81, splat (i32 1199566848)
  %v98 = select <4 x i1> %v97, <4 x i32> %v96, <4 x i32> %v92
  %v99 = lshr <4 x i32> %v80, splat (i32 16)
  %v100 = and <4 x i32> %v99, splat (i32 32768)
  %v101 = or <4 x i32> %v98, %v100
  %v102 = trunc <4 x i32> %v101 to <4 x i16>
  %v103 = zext <4 x i16> %v102 to <4 x i32>
  %v104 = and <4 x i32> %v103, splat (i32 32767)
  %v105 = shl <4 x i32> %v104, splat (i32 13)
  %v106 = bitcast <4 x i32> %v105 to <4 x float>
  %v107 = fmul <4 x float> %v106, splat (float 0x46F0000000000000)
  %v108 = bitcast <4 x float> %v107 to <4 x i32>
  %v109 = or <4 x i32> %v105, splat (i32 2139095040)
  %v110 = icmp ugt <4 x i32> %v104, splat (i32 31744)
  %v111 = select <4 x i1> %v110, <4 x i32> splat (i32 4194304), <4 x i32> splat (i32 0)
  %v112 = or <4 x i32> %v109, %v111
  %v113 = icmp uge <4 x i32> %v104, splat (i32 31744)
  %v114 = select <4 x i1> %v113, <4 x i32> %v112, <4 x i32> %v108
  %v115 = and <4 x i32> %v103, splat (i32 32768)
  %v116 = shl <4 x i32> %v115, splat (i32 16)
  %v117 = or <4 x i32> %v114, %v116
  %v118 = bitcast <4 x i32> %v117 to <4 x float>
  %v119 = call <4 x float> @llvm.fabs.v4f32(<4 x float> %v118)
  %v120 = fcmp olt <4 x float> %v119, splat (float 0x41E0000000000000)
  %v121 = fptosi <4 x float> %v118 to <4 x i32>
  %v122 = select <4 x i1> %v120, <4 x i32> %v121, <4 x i32> splat (i32 -2147483648)
  %v123 = sdiv <4 x i32> %v122, splat (i32 3)
  %v124 = mul <4 x i32> %v123, splat (i32 3)
  %v125 = sub <4 x i32> %v122, %v124
  %v126 = icmp ne <4 x i32> %v125, splat (i32 0)
  %v127 = xor <4 x i32> %v125, splat (i32 3)
  %v128 = icmp slt <4 x i32> %v127, splat (i32 0)
  %v129 = and <4 x i1> %v126, %v128
  %v130 = sub <4 x i32> %v123, splat (i32 1)
  %v131 = add <4 x i32> %v125, splat (i32 3)
  %v132 = select <4 x i1> %v129, <4 x i32> %v130, <4 x i32> %v123
  %v133 = select <4 x i1> %v129, <4 x i32> %v131, <4 x i32> %v125
  %v134 = getelementptr inbounds i32, ptr %v3, i64 %v11
  store <4 x i32> %v132, ptr %v134, align 4
  %v135 = add i64 %v11, 4
  %v136 = icmp slt i64 %v135, %v9
  br i1 %v136, label %loop8, label %after9
after9:
  %v137 = phi i64 [0, %lanes5], [%v135, %loop8]
  %v138 = icmp slt i64 %v137, %v5
  br i1 %v138, label %enter10, label %after12
enter10:
  br label %loop11
loop11:
  %v139 = phi i64 [%v137, %enter10], [%v263, %loop11]
  %v140 = getelementptr inbounds i16, ptr %v1, i64 %v139
  %v141 = load i16, ptr %v140, align 2
  %v142 = zext i16 %v141 to i32
  %v143 = and i32 %v142, 32767
  %v144 = shl i32 %v143, 13
  %v145 = bitcast i32 %v144 to float
  %v146 = fmul float %v145, 0x46F0000000000000
  %v147 = bitcast float %v146 to i32
  %v148 = or i32 %v144, 2139095040
  %v149 = icmp ugt i32 %v143, 31744
  %v150 = select i1 %v149, i32 4194304, i32 0
  %v151 = or i32 %v148, %v150
  %v152 = icmp uge i32 %v143, 31744
  %v153 = select i1 %v152, i32 %v151, i32 %v147
  %v154 = and i32 %v142, 32768
  %v155 = shl i32 %v154, 16
  %v156 = or i32 %v153, %v155
  %v157 = bitcast i32 %v156 to float
  %v158 = fadd float %v157, %v157
  %v159 = bitcast float %v158 to i32
  %v160 = and i32 %v159, 2147483647
  %v161 = lshr i32 %v160, 13
  %v162 = and i32 %v161, 1
  %v163 = add i32 %v160, -939520001
  %v164 = add i32 %v163, %v162
  %v165 = lshr i32 %v164, 13
  %v166 = bitcast i32 %v160 to float
  %v167 = fadd float %v166, 0x3FE0000000000000
  %v168 = bitcast float %v167 to i32
  %v169 = sub i32 %v168, 1056964608
  %v170 = icmp ult i32 %v160, 947912704
  %v171 = select i1 %v170, i32 %v169, i32 %v165
  %v172 = icmp ugt i32 %v160, 2139095040
  %v173 = and i32 %v161, 1023
  %v174 = or i32 %v173, 32256
  %v175 = select i1 %v172, i32 %v174, i32 31744
  %v176 = icmp uge i32 %v160, 1199566848
  %v177 = select i1 %v176, i32 %v175, i32 %v171
  %v178 = lshr i32 %v159, 16
  %v179 = and i32 %v178, 32768
  %v180 = or i32 %v177, %v179
  %v181 = trunc i32 %v180 to i16
  %v182 = zext i16 %v181 to i32
  %v183 = and i32 %v182, 32767
  %v184 = shl i32 %v183, 13
  %v185 = bitcast i32 %v184 to float
  %v186 = fmul float %v185, 0x46F0000000000000
  %v187 = bitcast float %v186 to i32
  %v188 = or i32 %v184, 2139095040
  %v189 = icmp ugt i32 %v183, 31744
  %v190 = select i1 %v189, i32 4194304, i32 0
  %v191 = or i32 %v188, %v190
  %v192 = icmp uge i32 %v183, 31744
  %v193 = select i1 %v192, i32 %v191, i32 %v187
  %v194 = and i32 %v182, 32768
  %v195 = shl i32 %v194, 16
  %v196 = or i32 %v193, %v195
  %v197 = bitcast i32 %v196 to float
  %v198 = call float @llvm.fabs.f32(float %v197)
  %v199 = fadd float %v198, 0x4160000000000000
  %v200 = fsub float %v199, 0x4160000000000000
  %v201 = call float @llvm.copysign.f32(float %v200, float %v197)
  %v202 = fcmp ogt float %v201, %v197
  %v203 = fsub float %v201, 0x3FF0000000000000
  %v204 = select i1 %v202, float %v203, float %v201
  %v205 = call float @llvm.copysign.f32(float %v204, float %v197)
  %v206 = fcmp olt float %v198, 0x4160000000000000
  %v207 = select i1 %v206, float %v205, float %v197
  %v208 = bitcast float %v207 to i32
  %v209 = and i32 %v208, 2147483647
  %v210 = lshr i32 %v209, 13
  %v211 = and i32 %v210, 1
  %v212 = add i32 %v209, -939520001
  %v213 = add i32 %v212, %v211
  %v214 = lshr i32 %v213, 13
  %v215 = bitcast i32 %v209 to float
  %v216 = fadd float %v215, 0x3FE0000000000000
  %v217 = bitcast float %v216 to i32
  %v218 = sub i32 %v217, 1056964608
  %v219 = icmp ult i32 %v209, 947912704
  %v220 = select i1 %v219, i32 %v218, i32 %v214
  %v221 = icmp ugt i32 %v209, 2139095040
  %v222 = and i32 %v210, 1023
  %v223 = or i32 %v222, 32256
  %v224 = select i1 %v221, i32 %v223, i32 31744
  %v225 = icmp uge i32 %v209, 1199566848
  %v226 = select i1 %v225, i32 %v224, i32 %v220
  %v227 = lshr i32 %v208, 16
  %v228 = and i32 %v227, 32768
  %v229 = or i32 %v226, %v228
  %v230 = trunc i32 %v229 to i16
  %v231 = zext i16 %v230 to i32
  %v232 = and i32 %v231, 32767
  %v233 = shl i32 %v232, 13
  %v234 = bitcast i32 %v233 to float
  %v235 = fmul float %v234, 0x46F0000000000000
  %v236 = bitcast float %v235 to i32
  %v237 = or i32 %v233, 2139095040
  %v238 = icmp ugt i32 %v232, 31744
  %v239 = select i1 %v238, i32 4194304, i32 0
  %v240 = or i32 %v237, %v239
  %v241 = icmp uge i32 %v232, 31744
  %v242 = select i1 %v241, i32 %v240, i32 %v236
  %v243 = and i32 %v231, 32768
  %v244 = shl i32 %v243, 16
  %v245 = or i32 %v242, %v244
  %v246 = bitcast i32 %v245 to float
  %v247 = call float @llvm.fabs.f32(float %v246)
  %v248 = fcmp olt float %v247, 0x41E0000000000000
  %v249 = fptosi float %v246 to i32
  %v250 = select i1 %v248, i32 %v249, i32 -2147483648
  %v251 = sdiv i32 %v250, 3
  %v252 = mul i32 %v251, 3
  %v253 = sub i32 %v250, %v252
  %v254 = icmp ne i32 %v253, 0
  %v255 = xor i32 %v253, 3
  %v256 = icmp slt i32 %v255, 0
  %v257 = and i1 %v254, %v256
  %v258 = sub i32 %v251, 1
  %v259 = add i32 %v253, 3
  %v260 = select i1 %v257, i32 %v258, i32 %v251
  %v261 = select i1 %v257, i32 %v259, i32 %v253
  %v262 = getelementptr inbounds i32, ptr %v3, i64 %v139
  store i32 %v260, ptr %v262, align 4
  %v263 = add i64 %v139, 1
  %v264 = icmp slt i64 %v263, %v5
  br i1 %v264, label %loop11, label %after12
after12:
  %v265 = phi i64 [%v137, %after9], [%v263, %loop11]
  br label %after6
after6:
  br label %next4
next4:
  %v266 = add i64 %v7, 1
  %v267 = icmp slt i64 %v266, %end
  br i1 %v267, label %group2, label %finished3
finished3:
  ret void
}
