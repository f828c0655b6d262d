target triple = "x86_64-unknown-linux-gnu"
define void @parameter_add(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
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
  %v12 = getelementptr inbounds i64, ptr %slots, i64 6
  %v13 = load i64, ptr %v12, align 8
  %v14 = getelementptr inbounds i64, ptr %slots, i64 7
  %v15 = load i64, ptr %v14, align 8
  %v16 = getelementptr inbounds i64, ptr %slots, i64 8
  %v17 = load i64, ptr %v16, align 8
  %v18 = getelementptr inbounds i64, ptr %slots, i64 9
  %v19 = load i64, ptr %v18, align 8
  %v20 = getelementptr inbounds i64, ptr %slots, i64 10
  %v21 = load i64, ptr %v20, align 8
  %v22 = getelementptr inbounds i64, ptr %slots, i64 11
  %v23 = load i64, ptr %v22, align 8
  %v24 = getelementptr inbounds i64, ptr %slots, i64 12
  %v25 = load i64, ptr %v24, align 8
  %v26 = getelementptr inbounds i64, ptr %slots, i64 13
  %v27 = load i64, ptr %v26, align 8
  %v28 = getelementptr inbounds i64, ptr %slots, i64 14
  %v29 = load i64, ptr %v28, align 8
  %v30 = getelementptr inbounds i64, ptr %slots, i64 15
  %v31 = load i64, ptr %v30, align 8
  %v32 = getelementptr inbounds i64, ptr %slots, i64 16
  %v33 = load i64, ptr %v32, align 8
  %v34 = getelementptr inbounds i64, ptr %slots, i64 17
  %v35 = load i64, ptr %v34, align 8
  %v36 = getelementptr inbounds i64, ptr %slots, i64 18
  %v37 = load float, ptr %v36, align 8
  %v38 = getelementptr inbounds i64, ptr %slots, i64 19
  %v39 = load float, ptr %v38, align 8
  %v40 = icmp slt i64 %begin, %end
  br i1 %v40, label %groups1, label %finished3
groups1:
  %v42 = icmp ne i64 %v5, 0
  %v120 = getelementptr float, ptr %v3, i64 %v35
  %v143 = insertelement <8 x float> poison, float %v37, i64 0
  %v144 = shufflevector <8 x float> %v143, <8 x float> poison, <8 x i32> zeroinitializer
  %v170 = insertelement <8 x float> poison, float %v39, i64 0
  %v171 = shufflevector <8 x float> %v170, <8 x float> poison, <8 x i32> zeroinitializer
  br label %group2
group2:
  %v41 = phi i64 [%begin, %groups1], [%v264, %next4]
  %v43 = udiv i64 %v41, %v7
  %v44 = urem i64 %v41, %v7
  %v45 = mul i64 %v9, %v43
  %v46 = add i64 %v45, %v9
  %v47 = call i64 @llvm.smin.i64(i64 %v46, i64 %v11)
  %v48 = mul i64 %v13, %v44
  %v49 = add i64 %v48, %v13
  %v50 = call i64 @llvm.smin.i64(i64 %v49, i64 %v15)
  %v51 = call i64 @llvm.smax.i64(i64 %v21, i64 %v48)
  %v52 = call i64 @llvm.smin.i64(i64 %v51, i64 %v50)
  %v53 = call i64 @llvm.smax.i64(i64 %v23, i64 %v48)
  %v54 = call i64 @llvm.smin.i64(i64 %v53, i64 %v50)
  %v55 = icmp slt i64 %v45, %v47
  br i1 %v55, label %enter5, label %after7
enter5:
  %v68 = getelementptr float, ptr %v3, i64 %v48
  %v86 = getelementptr float, ptr %v1, i64 %v48
  br label %loop6
loop6:
  %v56 = phi i64 [%v45, %enter5], [%v260, %after36]
  %v57 = icmp sle i64 %v17, %v56
  %v58 = and i1 true, %v57
  %v59 = icmp slt i64 %v56, %v19
  %v60 = and i1 %v58, %v59
  %v61 = sub i64 %v56, %v17
  %v62 = select i1 %v60, i64 %v52, i64 %v50
  %v63 = select i1 %v60, i64 %v54, i64 %v50
  %v64 = mul i64 %v15, %v56
  %v65 = sub i64 %v62, %v48
  %v66 = icmp sgt i64 %v65, 0
  br i1 %v66, label %lanes8, label %after9
lanes8:
  %v67 = add i64 %v64, %v48
  %v69 = getelementptr float, ptr %v68, i64 %v64
  %v70 = ptrtoint ptr %v69 to i64
  %v71 = sub i64 0, %v70
  %v72 = and i64 %v71, 31
  %v73 = lshr i64 %v72, 2
  %v74 = call i64 @llvm.smin.i64(i64 %v73, i64 %v65)
  %v75 = select i1 %v42, i64 %v74, i64 0
  %v87 = getelementptr float, ptr %v86, i64 %v64
  %v92 = sub i64 %v65, 7
  br label %rounds10
rounds10:
  %v76 = phi i64 [0, %lanes8], [%v107, %after16]
  %v77 = phi i64 [%v75, %lanes8], [%v65, %after16]
  %v78 = icmp slt i64 %v76, %v77
  br i1 %v78, label %part11, label %after12
part11:
  %v79 = sub i64 %v77, %v76
  %v80 = trunc i64 %v79 to i32
  %v81 = insertelement <8 x i32> poison, i32 %v80, i64 0
  %v82 = shufflevector <8 x i32> %v81, <8 x i32> poison, <8 x i32> zeroinitializer
  %v83 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v82
  %v84 = add i64 %v48, %v76
  %v85 = add i64 %v64, %v84
  %v88 = getelementptr float, ptr %v87, i64 %v76
  %v90 = getelementptr float, ptr %v69, i64 %v76
  %v89 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v88, i32 4, <8 x i1> %v83, <8 x float> zeroinitializer)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v89, ptr %v90, i32 4, <8 x i1> %v83)
  br label %after12
after12:
  %v91 = icmp sge i64 %v77, %v65
  br i1 %v91, label %after9, label %whole13
whole13:
  %v93 = icmp slt i64 %v77, %v92
  br i1 %v93, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v94 = phi i64 [%v77, %enter14], [%v105, %stored19]
  %v95 = add i64 %v48, %v94
  %v96 = add i64 %v64, %v95
  %v97 = getelementptr float, ptr %v87, i64 %v94
  %v98 = load <8 x float>, ptr %v97, align 4
  %v99 = getelementptr float, ptr %v69, i64 %v94
  %v100 = ptrtoint ptr %v99 to i64
  %v101 = and i64 %v100, 31
  %v102 = icmp eq i64 %v101, 0
  %v103 = and i1 %v102, %v42
  br i1 %v103, label %this17, label %that18
this17:
  store <8 x float> %v98, ptr %v99, align 32, !nontemporal !0
  br label %stored19
that18:
  store <8 x float> %v98, ptr %v99, align 4
  br label %stored19
stored19:
  %v104 = add i64 %v94, 8
  %v105 = call i64 @llvm.fshl.i64(i64 %v104, i64 %v104, i64 0)
  %v106 = icmp slt i64 %v105, %v92
  br i1 %v106, label %loop15, label %after16
after16:
  %v107 = phi i64 [%v77, %whole13], [%v105, %stored19]
  br label %rounds10
after9:
  %v108 = sub i64 %v62, %v21
  %v109 = sub i64 %v63, %v21
  %v110 = mul i64 %v15, %v61
  %v111 = add i64 %v25, %v110
  %v112 = add i64 %v27, %v110
  %v113 = add i64 %v29, %v110
  %v114 = add i64 %v31, %v110
  %v115 = add i64 %v33, %v110
  %v116 = add i64 %v35, %v110
  br i1 %v60, label %then20, label %else21
then20:
  %v117 = sub i64 %v109, %v108
  %v118 = icmp sgt i64 %v117, 0
  br i1 %v118, label %lanes23, label %after24
lanes23:
  %v119 = add i64 %v116, %v108
  %v121 = add i64 %v110, %v108
  %v122 = getelementptr float, ptr %v120, i64 %v121
  %v123 = ptrtoint ptr %v122 to i64
  %v124 = sub i64 0, %v123
  %v125 = and i64 %v124, 31
  %v126 = lshr i64 %v125, 2
  %v127 = call i64 @llvm.smin.i64(i64 %v126, i64 %v117)
  %v128 = select i1 %v42, i64 %v127, i64 0
  %v139 = getelementptr float, ptr %v1, i64 %v111
  %v140 = getelementptr float, ptr %v139, i64 %v108
  %v147 = getelementptr float, ptr %v1, i64 %v112
  %v148 = getelementptr float, ptr %v147, i64 %v108
  %v152 = getelementptr float, ptr %v1, i64 %v113
  %v153 = getelementptr float, ptr %v152, i64 %v108
  %v157 = getelementptr float, ptr %v1, i64 %v114
  %v158 = getelementptr float, ptr %v157, i64 %v108
  %v162 = getelementptr float, ptr %v1, i64 %v115
  %v163 = getelementptr float, ptr %v162, i64 %v108
  %v175 = getelementptr float, ptr %v3, i64 %v116
  %v176 = getelementptr float, ptr %v175, i64 %v108
  %v179 = sub i64 %v117, 7
  br label %rounds25
rounds25:
  %v129 = phi i64 [0, %lanes23], [%v214, %after31]
  %v130 = phi i64 [%v128, %lanes23], [%v117, %after31]
  %v131 = icmp slt i64 %v129, %v130
  br i1 %v131, label %part26, label %after27
part26:
  %v132 = sub i64 %v130, %v129
  %v133 = trunc i64 %v132 to i32
  %v134 = insertelement <8 x i32> poison, i32 %v133, i64 0
  %v135 = shufflevector <8 x i32> %v134, <8 x i32> poison, <8 x i32> zeroinitializer
  %v136 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v135
  %v137 = add i64 %v108, %v129
  %v138 = add i64 %v111, %v137
  %v141 = getelementptr float, ptr %v140, i64 %v129
  %v146 = add i64 %v112, %v137
  %v149 = getelementptr float, ptr %v148, i64 %v129
  %v151 = add i64 %v113, %v137
  %v154 = getelementptr float, ptr %v153, i64 %v129
  %v156 = add i64 %v114, %v137
  %v159 = getelementptr float, ptr %v158, i64 %v129
  %v161 = add i64 %v115, %v137
  %v164 = getelementptr float, ptr %v163, i64 %v129
  %v174 = add i64 %v116, %v137
  %v177 = getelementptr float, ptr %v176, i64 %v129
  %v142 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v141, i32 4, <8 x i1> %v136, <8 x float> zeroinitializer)
  %v145 = fmul <8 x float> %v144, %v142
  %v150 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v149, i32 4, <8 x i1> %v136, <8 x float> zeroinitializer)
  %v155 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v154, i32 4, <8 x i1> %v136, <8 x float> zeroinitializer)
  %v160 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v159, i32 4, <8 x i1> %v136, <8 x float> zeroinitializer)
  %v165 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v164, i32 4, <8 x i1> %v136, <8 x float> zeroinitializer)
  %v166 = fadd <8 x float> %v165, %v160
  %v167 = fadd <8 x float> %v166, %v155
  %v168 = fadd <8 x float> %v167, %v150
  %v169 = fsub <8 x float> %v168, %v145
  %v172 = fmul <8 x float> %v171, %v169
  %v173 = fadd <8 x float> %v142, %v172
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v173, ptr %v177, i32 4, <8 x i1> %v136)
  br label %after27
after27:
  %v178 = icmp sge i64 %v130, %v117
  br i1 %v178, label %after24, label %whole28
whole28:
  %v180 = icmp slt i64 %v130, %v179
  br i1 %v180, label %enter29, label %after31
enter29:
  br label %loop30
loop30:
  %v181 = phi i64 [%v130, %enter29], [%v212, %stored34]
  %v182 = add i64 %v108, %v181
  %v183 = add i64 %v111, %v182
  %v184 = getelementptr float, ptr %v140, i64 %v181
  %v185 = load <8 x float>, ptr %v184, align 4
  %v186 = fmul <8 x float> %v144, %v185
  %v187 = add i64 %v112, %v182
  %v188 = getelementptr float, ptr %v148, i64 %v181
  %v189 = load <8 x float>, ptr %v188, align 4
  %v190 = add i64 %v113, %v182
  %v191 = getelementptr float, ptr %v153, i64 %v181
  %v192 = load <8 x float>, ptr %v191, align 4
  %v193 = add i64 %v114, %v182
  %v194 = getelementptr float, ptr %v158, i64 %v181
  %v195 = load <8 x float>, ptr %v194, align 4
  %v196 = add i64 %v115, %v182
  %v197 = getelementptr float, ptr %v163, i64 %v181
  %v198 = load <8 x float>, ptr %v197, align 4
  %v199 = fadd <8 x float> %v198, %v195
  %v200 = fadd <8 x float> %v199, %v192
  %v201 = fadd <8 x float> %v200, %v189
  %v202 = fsub <8 x float> %v201, %v186
  %v203 = fmul <8 x float> %v171, %v202
  %v204 = fadd <8 x float> %v185, %v203
  %v205 = add i64 %v116, %v182
  %v206 = getelementptr float, ptr %v176, i64 %v181
  %v207 = ptrtoint ptr %v206 to i64
  %v208 = and i64 %v207, 31
  %v209 = icmp eq i64 %v208, 0
  %v210 = and i1 %v209, %v42
  br i1 %v210, label %this32, label %that33
this32:
  store <8 x float> %v204, ptr %v206, align 32, !nontemporal !0
  br label %stored34
that33:
  store <8 x float> %v204, ptr %v206, align 4
  br label %stored34
stored34:
  %v211 = add i64 %v181, 8
  %v212 = call i64 @llvm.fshl.i64(i64 %v211, i64 %v211, i64 0)
  %v213 = icmp slt i64 %v212, %v179
  br i1 %v213, label %loop30, label %after31
after31:
  %v214 = phi i64 [%v130, %whole28], [%v212, %stored34]
  br label %rounds25
after24:
  br label %after22
else21:
  br label %after22
after22:
  %v215 = sub i64 %v50, %v63
  %v216 = icmp sgt i64 %v215, 0
  br i1 %v216, label %lanes35, label %after36
lanes35:
  %v217 = add i64 %v64, %v63
  %v218 = getelementptr inbounds float, ptr %v3, i64 %v217
  %v219 = ptrtoint ptr %v218 to i64
  %v220 = sub i64 0, %v219
  %v221 = and i64 %v220, 31
  %v222 = lshr i64 %v221, 2
  %v223 = call i64 @llvm.smin.i64(i64 %v222, i64 %v215)
  %v224 = select i1 %v42, i64 %v223, i64 0
  %v235 = getelementptr float, ptr %v1, i64 %v64
  %v236 = getelementptr float, ptr %v235, i64 %v63
  %v239 = getelementptr float, ptr %v3, i64 %v64
  %v240 = getelementptr float, ptr %v239, i64 %v63
  %v243 = sub i64 %v215, 7
  br label %rounds37
rounds37:
  %v225 = phi i64 [0, %lanes35], [%v258, %after43]
  %v226 = phi i64 [%v224, %lanes35], [%v215, %after43]
  %v227 = icmp slt i64 %v225, %v226
  br i1 %v227, label %part38, label %after39
part38:
  %v228 = sub i64 %v226, %v225
  %v229 = trunc i64 %v228 to i32
  %v230 = insertelement <8 x i32> poison, i32 %v229, i64 0
  %v231 = shufflevector <8 x i32> %v230, <8 x i32> poison, <8 x i32> zeroinitializer
  %v232 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v231
  %v233 = add i64 %v63, %v225
  %v234 = add i64 %v64, %v233
  %v237 = getelementptr float, ptr %v236, i64 %v225
  %v241 = getelementptr float, ptr %v240, i64 %v225
  %v238 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v237, i32 4, <8 x i1> %v232, <8 x float> zeroinitializer)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v238, ptr %v241, i32 4, <8 x i1> %v232)
  br label %after39
after39:
  %v242 = icmp sge i64 %v226, %v215
  br i1 %v242, label %after36, label %whole40
whole40:
  %v244 = icmp slt i64 %v226, %v243
  br i1 %v244, label %enter41, label %after43
enter41:
  br label %loop42
loop42:
  %v245 = phi i64 [%v226, %enter41], [%v256, %stored46]
  %v246 = add i64 %v63, %v245
  %v247 = add i64 %v64, %v246
  %v248 = getelementptr float, ptr %v236, i64 %v245
  %v249 = load <8 x float>, ptr %v248, align 4
  %v250 = getelementptr float, ptr %v240, i64 %v245
  %v251 = ptrtoint ptr %v250 to i64
  %v252 = and i64 %v251, 31
  %v253 = icmp eq i64 %v252, 0
  %v254 = and i1 %v253, %v42
  br i1 %v254, label %this44, label %that45
this44:
  store <8 x float> %v249, ptr %v250, align 32, !nontemporal !0
  br label %stored46
that45:
  store <8 x float> %v249, ptr %v250, align 4
  br label %stored46
stored46:
  %v255 = add i64 %v245, 8
  %v256 = call i64 @llvm.fshl.i64(i64 %v255, i64 %v255, i64 0)
  %v257 = icmp slt i64 %v256, %v243
  br i1 %v257, label %loop42, label %after43
after43:
  %v258 = phi i64 [%v226, %whole40], [%v256, %stored46]
  br label %rounds37
after36:
  %v259 = add i64 %v56, 1
  %v260 = call i64 @llvm.fshl.i64(i64 %v259, i64 %v259, i64 0)
  %v261 = icmp slt i64 %v260, %v47
  br i1 %v261, label %loop6, label %after7
after7:
  %v262 = phi i64 [%v45, %group2], [%v260, %after36]
  br label %next4
next4:
  %v263 = add i64 %v41, 1
  %v264 = call i64 @llvm.fshl.i64(i64 %v263, i64 %v263, i64 0)
  %v265 = icmp slt i64 %v264, %end
  br i1 %v265, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
