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
  %v7 = phi i64 [%begin, %groups1], [%v269, %next4]
  br i1 %v8, label %lanes5, label %after6
lanes5:
  br i1 %v10, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v11 = phi i64 [0, %enter7], [%v136, %loop8]
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
  %v136 = call i64 @llvm.fshl.i64(i64 %v135, i64 %v135, i64 0)
  %v137 = icmp slt i64 %v136, %v9
  br i1 %v137, label %loop8, label %after9
after9:
  %v138 = phi i64 [0, %lanes5], [%v136, %loop8]
  %v139 = icmp slt i64 %v138, %v5
  br i1 %v139, label %enter10, label %after12
enter10:
  br label %loop11
loop11:
  %v140 = phi i64 [%v138, %enter10], [%v265, %loop11]
  %v141 = getelementptr inbounds i16, ptr %v1, i64 %v140
  %v142 = load i16, ptr %v141, align 2
  %v143 = zext i16 %v142 to i32
  %v144 = and i32 %v143, 32767
  %v145 = shl i32 %v144, 13
  %v146 = bitcast i32 %v145 to float
  %v147 = fmul float %v146, 0x46F0000000000000
  %v148 = bitcast float %v147 to i32
  %v149 = or i32 %v145, 2139095040
  %v150 = icmp ugt i32 %v144, 31744
  %v151 = select i1 %v150, i32 4194304, i32 0
  %v152 = or i32 %v149, %v151
  %v153 = icmp uge i32 %v144, 31744
  %v154 = select i1 %v153, i32 %v152, i32 %v148
  %v155 = and i32 %v143, 32768
  %v156 = shl i32 %v155, 16
  %v157 = or i32 %v154, %v156
  %v158 = bitcast i32 %v157 to float
  %v159 = fadd float %v158, %v158
  %v160 = bitcast float %v159 to i32
  %v161 = and i32 %v160, 2147483647
  %v162 = lshr i32 %v161, 13
  %v163 = and i32 %v162, 1
  %v164 = add i32 %v161, -939520001
  %v165 = add i32 %v164, %v163
  %v166 = lshr i32 %v165, 13
  %v167 = bitcast i32 %v161 to float
  %v168 = fadd float %v167, 0x3FE0000000000000
  %v169 = bitcast float %v168 to i32
  %v170 = sub i32 %v169, 1056964608
  %v171 = icmp ult i32 %v161, 947912704
  %v172 = select i1 %v171, i32 %v170, i32 %v166
  %v173 = icmp ugt i32 %v161, 2139095040
  %v174 = and i32 %v162, 1023
  %v175 = or i32 %v174, 32256
  %v176 = select i1 %v173, i32 %v175, i32 31744
  %v177 = icmp uge i32 %v161, 1199566848
  %v178 = select i1 %v177, i32 %v176, i32 %v172
  %v179 = lshr i32 %v160, 16
  %v180 = and i32 %v179, 32768
  %v181 = or i32 %v178, %v180
  %v182 = trunc i32 %v181 to i16
  %v183 = zext i16 %v182 to i32
  %v184 = and i32 %v183, 32767
  %v185 = shl i32 %v184, 13
  %v186 = bitcast i32 %v185 to float
  %v187 = fmul float %v186, 0x46F0000000000000
  %v188 = bitcast float %v187 to i32
  %v189 = or i32 %v185, 2139095040
  %v190 = icmp ugt i32 %v184, 31744
  %v191 = select i1 %v190, i32 4194304, i32 0
  %v192 = or i32 %v189, %v191
  %v193 = icmp uge i32 %v184, 31744
  %v194 = select i1 %v193, i32 %v192, i32 %v188
  %v195 = and i32 %v183, 32768
  %v196 = shl i32 %v195, 16
  %v197 = or i32 %v194, %v196
  %v198 = bitcast i32 %v197 to float
  %v199 = call float @llvm.fabs.f32(float %v198)
  %v200 = fadd float %v199, 0x4160000000000000
  %v201 = fsub float %v200, 0x4160000000000000
  %v202 = call float @llvm.copysign.f32(float %v201, float %v198)
  %v203 = fcmp ogt float %v202, %v198
  %v204 = fsub float %v202, 0x3FF0000000000000
  %v205 = select i1 %v203, float %v204, float %v202
  %v206 = call float @llvm.copysign.f32(float %v205, float %v198)
  %v207 = fcmp olt float %v199, 0x4160000000000000
  %v208 = select i1 %v207, float %v206, float %v198
  %v209 = bitcast float %v208 to i32
  %v210 = and i32 %v209, 2147483647
  %v211 = lshr i32 %v210, 13
  %v212 = and i32 %v211, 1
  %v213 = add i32 %v210, -939520001
  %v214 = add i32 %v213, %v212
  %v215 = lshr i32 %v214, 13
  %v216 = bitcast i32 %v210 to float
  %v217 = fadd float %v216, 0x3FE0000000000000
  %v218 = bitcast float %v217 to i32
  %v219 = sub i32 %v218, 1056964608
  %v220 = icmp ult i32 %v210, 947912704
  %v221 = select i1 %v220, i32 %v219, i32 %v215
  %v222 = icmp ugt i32 %v210, 2139095040
  %v223 = and i32 %v211, 1023
  %v224 = or i32 %v223, 32256
  %v225 = select i1 %v222, i32 %v224, i32 31744
  %v226 = icmp uge i32 %v210, 1199566848
  %v227 = select i1 %v226, i32 %v225, i32 %v221
  %v228 = lshr i32 %v209, 16
  %v229 = and i32 %v228, 32768
  %v230 = or i32 %v227, %v229
  %v231 = trunc i32 %v230 to i16
  %v232 = zext i16 %v231 to i32
  %v233 = and i32 %v232, 32767
  %v234 = shl i32 %v233, 13
  %v235 = bitcast i32 %v234 to float
  %v236 = fmul float %v235, 0x46F0000000000000
  %v237 = bitcast float %v236 to i32
  %v238 = or i32 %v234, 2139095040
  %v239 = icmp ugt i32 %v233, 31744
  %v240 = select i1 %v239, i32 4194304, i32 0
  %v241 = or i32 %v238, %v240
  %v242 = icmp uge i32 %v233, 31744
  %v243 = select i1 %v242, i32 %v241, i32 %v237
  %v244 = and i32 %v232, 32768
  %v245 = shl i32 %v244, 16
  %v246 = or i32 %v243, %v245
  %v247 = bitcast i32 %v246 to float
  %v248 = call float @llvm.fabs.f32(float %v247)
  %v249 = fcmp olt float %v248, 0x41E0000000000000
  %v250 = fptosi float %v247 to i32
  %v251 = select i1 %v249, i32 %v250, i32 -2147483648
  %v252 = sdiv i32 %v251, 3
  %v253 = mul i32 %v252, 3
  %v254 = sub i32 %v251, %v253
  %v255 = icmp ne i32 %v254, 0
  %v256 = xor i32 %v254, 3
  %v257 = icmp slt i32 %v256, 0
  %v258 = and i1 %v255, %v257
  %v259 = sub i32 %v252, 1
  %v260 = add i32 %v254, 3
  %v261 = select i1 %v258, i32 %v259, i32 %v252
  %v262 = select i1 %v258, i32 %v260, i32 %v254
  %v263 = getelementptr inbounds i32, ptr %v3, i64 %v140
  store i32 %v261, ptr %v263, align 4
  %v264 = add i64 %v140, 1
  %v265 = call i64 @llvm.fshl.i64(i64 %v264, i64 %v264, i64 0)
  %v266 = icmp slt i64 %v265, %v5
  br i1 %v266, label %loop11, label %after12
after12:
  %v267 = phi i64 [%v138, %after9], [%v265, %loop11]
  br label %after6
after6:
  br label %next4
next4:
  %v268 = add i64 %v7, 1
  %v269 = call i64 @llvm.fshl.i64(i64 %v268, i64 %v268, i64 0)
  %v270 = icmp slt i64 %v269, %end
  br i1 %v270, label %group2, label %finished3
finished3:
  ret void
}
