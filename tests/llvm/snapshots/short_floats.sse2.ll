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
  %v7 = phi i64 [%begin, %groups1], [%v264, %next4]
  br i1 %v8, label %lanes5, label %after6
lanes5:
  br i1 %v10, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v11 = phi i64 [0, %enter7], [%v134, %loop8]
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
  %v131 = select <4 x i1> %v129, <4 x i32> %v130, <4 x i32> %v123
  %v132 = getelementptr inbounds i32, ptr %v3, i64 %v11
  store <4 x i32> %v131, ptr %v132, align 4
  %v133 = add i64 %v11, 4
  %v134 = call i64 @llvm.fshl.i64(i64 %v133, i64 %v133, i64 0)
  %v135 = icmp slt i64 %v134, %v9
  br i1 %v135, label %loop8, label %after9
after9:
  %v136 = phi i64 [0, %lanes5], [%v134, %loop8]
  %v137 = icmp slt i64 %v136, %v5
  br i1 %v137, label %enter10, label %after12
enter10:
  br label %loop11
loop11:
  %v138 = phi i64 [%v136, %enter10], [%v260, %loop11]
  %v139 = getelementptr inbounds i16, ptr %v1, i64 %v138
  %v140 = load i16, ptr %v139, align 2
  %v141 = zext i16 %v140 to i32
  %v142 = and i32 %v141, 32767
  %v143 = shl i32 %v142, 13
  %v144 = bitcast i32 %v143 to float
  %v145 = fmul float %v144, 0x46F0000000000000
  %v146 = bitcast float %v145 to i32
  %v147 = or i32 %v143, 2139095040
  %v148 = icmp ugt i32 %v142, 31744
  %v149 = select i1 %v148, i32 4194304, i32 0
  %v150 = or i32 %v147, %v149
  %v151 = icmp uge i32 %v142, 31744
  %v152 = select i1 %v151, i32 %v150, i32 %v146
  %v153 = and i32 %v141, 32768
  %v154 = shl i32 %v153, 16
  %v155 = or i32 %v152, %v154
  %v156 = bitcast i32 %v155 to float
  %v157 = fadd float %v156, %v156
  %v158 = bitcast float %v157 to i32
  %v159 = and i32 %v158, 2147483647
  %v160 = lshr i32 %v159, 13
  %v161 = and i32 %v160, 1
  %v162 = add i32 %v159, -939520001
  %v163 = add i32 %v162, %v161
  %v164 = lshr i32 %v163, 13
  %v165 = bitcast i32 %v159 to float
  %v166 = fadd float %v165, 0x3FE0000000000000
  %v167 = bitcast float %v166 to i32
  %v168 = sub i32 %v167, 1056964608
  %v169 = icmp ult i32 %v159, 947912704
  %v170 = select i1 %v169, i32 %v168, i32 %v164
  %v171 = icmp ugt i32 %v159, 2139095040
  %v172 = and i32 %v160, 1023
  %v173 = or i32 %v172, 32256
  %v174 = select i1 %v171, i32 %v173, i32 31744
  %v175 = icmp uge i32 %v159, 1199566848
  %v176 = select i1 %v175, i32 %v174, i32 %v170
  %v177 = lshr i32 %v158, 16
  %v178 = and i32 %v177, 32768
  %v179 = or i32 %v176, %v178
  %v180 = trunc i32 %v179 to i16
  %v181 = zext i16 %v180 to i32
  %v182 = and i32 %v181, 32767
  %v183 = shl i32 %v182, 13
  %v184 = bitcast i32 %v183 to float
  %v185 = fmul float %v184, 0x46F0000000000000
  %v186 = bitcast float %v185 to i32
  %v187 = or i32 %v183, 2139095040
  %v188 = icmp ugt i32 %v182, 31744
  %v189 = select i1 %v188, i32 4194304, i32 0
  %v190 = or i32 %v187, %v189
  %v191 = icmp uge i32 %v182, 31744
  %v192 = select i1 %v191, i32 %v190, i32 %v186
  %v193 = and i32 %v181, 32768
  %v194 = shl i32 %v193, 16
  %v195 = or i32 %v192, %v194
  %v196 = bitcast i32 %v195 to float
  %v197 = call float @llvm.fabs.f32(float %v196)
  %v198 = fadd float %v197, 0x4160000000000000
  %v199 = fsub float %v198, 0x4160000000000000
  %v200 = call float @llvm.copysign.f32(float %v199, float %v196)
  %v201 = fcmp ogt float %v200, %v196
  %v202 = fsub float %v200, 0x3FF0000000000000
  %v203 = select i1 %v201, float %v202, float %v200
  %v204 = call float @llvm.copysign.f32(float %v203, float %v196)
  %v205 = fcmp olt float %v197, 0x4160000000000000
  %v206 = select i1 %v205, float %v204, float %v196
  %v207 = bitcast float %v206 to i32
  %v208 = and i32 %v207, 2147483647
  %v209 = lshr i32 %v208, 13
  %v210 = and i32 %v209, 1
  %v211 = add i32 %v208, -939520001
  %v212 = add i32 %v211, %v210
  %v213 = lshr i32 %v212, 13
  %v214 = bitcast i32 %v208 to float
  %v215 = fadd float %v214, 0x3FE0000000000000
  %v216 = bitcast float %v215 to i32
  %v217 = sub i32 %v216, 1056964608
  %v218 = icmp ult i32 %v208, 947912704
  %v219 = select i1 %v218, i32 %v217, i32 %v213
  %v220 = icmp ugt i32 %v208, 2139095040
  %v221 = and i32 %v209, 1023
  %v222 = or i32 %v221, 32256
  %v223 = select i1 %v220, i32 %v222, i32 31744
  %v224 = icmp uge i32 %v208, 1199566848
  %v225 = select i1 %v224, i32 %v223, i32 %v219
  %v226 = lshr i32 %v207, 16
  %v227 = and i32 %v226, 32768
  %v228 = or i32 %v225, %v227
  %v229 = trunc i32 %v228 to i16
  %v230 = zext i16 %v229 to i32
  %v231 = and i32 %v230, 32767
  %v232 = shl i32 %v231, 13
  %v233 = bitcast i32 %v232 to float
  %v234 = fmul float %v233, 0x46F0000000000000
  %v235 = bitcast float %v234 to i32
  %v236 = or i32 %v232, 2139095040
  %v237 = icmp ugt i32 %v231, 31744
  %v238 = select i1 %v237, i32 4194304, i32 0
  %v239 = or i32 %v236, %v238
  %v240 = icmp uge i32 %v231, 31744
  %v241 = select i1 %v240, i32 %v239, i32 %v235
  %v242 = and i32 %v230, 32768
  %v243 = shl i32 %v242, 16
  %v244 = or i32 %v241, %v243
  %v245 = bitcast i32 %v244 to float
  %v246 = call float @llvm.fabs.f32(float %v245)
  %v247 = fcmp olt float %v246, 0x41E0000000000000
  %v248 = fptosi float %v245 to i32
  %v249 = select i1 %v247, i32 %v248, i32 -2147483648
  %v250 = sdiv i32 %v249, 3
  %v251 = srem i32 %v249, 3
  %v252 = icmp ne i32 %v251, 0
  %v253 = xor i32 %v251, 3
  %v254 = icmp slt i32 %v253, 0
  %v255 = and i1 %v252, %v254
  %v256 = sub i32 %v250, 1
  %v257 = select i1 %v255, i32 %v256, i32 %v250
  %v258 = getelementptr inbounds i32, ptr %v3, i64 %v138
  store i32 %v257, ptr %v258, align 4
  %v259 = add i64 %v138, 1
  %v260 = call i64 @llvm.fshl.i64(i64 %v259, i64 %v259, i64 0)
  %v261 = icmp slt i64 %v260, %v5
  br i1 %v261, label %loop11, label %after12
after12:
  %v262 = phi i64 [%v136, %after9], [%v260, %loop11]
  br label %after6
after6:
  br label %next4
next4:
  %v263 = add i64 %v7, 1
  %v264 = call i64 @llvm.fshl.i64(i64 %v263, i64 %v263, i64 0)
  %v265 = icmp slt i64 %v264, %end
  br i1 %v265, label %group2, label %finished3
finished3:
  ret void
}
