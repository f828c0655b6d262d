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
  %v139 = insertelement <8 x float> poison, float %v37, i64 0
  %v140 = shufflevector <8 x float> %v139, <8 x float> poison, <8 x i32> zeroinitializer
  %v158 = insertelement <8 x float> poison, float %v39, i64 0
  %v159 = shufflevector <8 x float> %v158, <8 x float> poison, <8 x i32> zeroinitializer
  br label %group2
group2:
  %v41 = phi i64 [%begin, %groups1], [%v244, %next4]
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
  br label %loop6
loop6:
  %v56 = phi i64 [%v45, %enter5], [%v241, %after33]
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
  %v68 = getelementptr inbounds float, ptr %v3, i64 %v67
  %v69 = ptrtoint ptr %v68 to i64
  %v70 = sub i64 0, %v69
  %v71 = and i64 %v70, 31
  %v72 = lshr i64 %v71, 2
  %v73 = call i64 @llvm.smin.i64(i64 %v72, i64 %v65)
  %v74 = select i1 %v42, i64 %v73, i64 0
  %v91 = sub i64 %v65, 7
  br label %rounds10
rounds10:
  %v75 = phi i64 [0, %lanes8], [%v105, %after16]
  %v76 = phi i64 [%v74, %lanes8], [%v65, %after16]
  %v77 = icmp slt i64 %v75, %v76
  br i1 %v77, label %part11, label %after12
part11:
  %v78 = sub i64 %v76, %v75
  %v79 = call i64 @llvm.umin.i64(i64 %v78, i64 8)
  %v80 = trunc i64 %v79 to i32
  %v81 = insertelement <8 x i32> poison, i32 %v80, i64 0
  %v82 = shufflevector <8 x i32> %v81, <8 x i32> poison, <8 x i32> zeroinitializer
  %v83 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v82
  %v84 = icmp sge i64 %v78, 8
  %v85 = add i64 %v48, %v75
  %v86 = add i64 %v64, %v85
  %v87 = getelementptr inbounds float, ptr %v1, i64 %v86
  %v89 = getelementptr inbounds float, ptr %v3, i64 %v86
  %v88 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v87, i32 4, <8 x i1> %v83, <8 x float> zeroinitializer)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v88, ptr %v89, i32 4, <8 x i1> %v83)
  br label %after12
after12:
  %v90 = icmp sge i64 %v76, %v65
  br i1 %v90, label %after9, label %whole13
whole13:
  %v92 = icmp slt i64 %v76, %v91
  br i1 %v92, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v93 = phi i64 [%v76, %enter14], [%v103, %stored19]
  %v94 = add i64 %v48, %v93
  %v95 = add i64 %v64, %v94
  %v96 = getelementptr inbounds float, ptr %v1, i64 %v95
  %v97 = load <8 x float>, ptr %v96, align 4
  %v98 = getelementptr inbounds float, ptr %v3, i64 %v95
  %v99 = ptrtoint ptr %v98 to i64
  %v100 = and i64 %v99, 31
  %v101 = icmp eq i64 %v100, 0
  %v102 = and i1 %v101, %v42
  br i1 %v102, label %this17, label %that18
this17:
  store <8 x float> %v97, ptr %v98, align 32, !nontemporal !0
  br label %stored19
that18:
  store <8 x float> %v97, ptr %v98, align 4
  br label %stored19
stored19:
  %v103 = add i64 %v93, 8
  %v104 = icmp slt i64 %v103, %v91
  br i1 %v104, label %loop15, label %after16
after16:
  %v105 = phi i64 [%v76, %whole13], [%v103, %stored19]
  br label %rounds10
after9:
  %v106 = sub i64 %v62, %v21
  %v107 = sub i64 %v63, %v21
  %v108 = mul i64 %v15, %v61
  %v109 = add i64 %v25, %v108
  %v110 = add i64 %v27, %v108
  %v111 = add i64 %v29, %v108
  %v112 = add i64 %v31, %v108
  %v113 = add i64 %v33, %v108
  %v114 = add i64 %v35, %v108
  %v115 = sub i64 %v107, %v106
  %v116 = icmp sgt i64 %v115, 0
  br i1 %v116, label %lanes20, label %after21
lanes20:
  %v117 = add i64 %v114, %v106
  %v118 = getelementptr inbounds float, ptr %v3, i64 %v117
  %v119 = ptrtoint ptr %v118 to i64
  %v120 = sub i64 0, %v119
  %v121 = and i64 %v120, 31
  %v122 = lshr i64 %v121, 2
  %v123 = call i64 @llvm.smin.i64(i64 %v122, i64 %v115)
  %v124 = select i1 %v42, i64 %v123, i64 0
  %v165 = sub i64 %v115, 7
  br label %rounds22
rounds22:
  %v125 = phi i64 [0, %lanes20], [%v199, %after28]
  %v126 = phi i64 [%v124, %lanes20], [%v115, %after28]
  %v127 = icmp slt i64 %v125, %v126
  br i1 %v127, label %part23, label %after24
part23:
  %v128 = sub i64 %v126, %v125
  %v129 = call i64 @llvm.umin.i64(i64 %v128, i64 8)
  %v130 = trunc i64 %v129 to i32
  %v131 = insertelement <8 x i32> poison, i32 %v130, i64 0
  %v132 = shufflevector <8 x i32> %v131, <8 x i32> poison, <8 x i32> zeroinitializer
  %v133 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v132
  %v134 = icmp sge i64 %v128, 8
  %v135 = add i64 %v106, %v125
  %v136 = add i64 %v109, %v135
  %v137 = getelementptr inbounds float, ptr %v1, i64 %v136
  %v142 = add i64 %v110, %v135
  %v143 = getelementptr inbounds float, ptr %v1, i64 %v142
  %v145 = add i64 %v111, %v135
  %v146 = getelementptr inbounds float, ptr %v1, i64 %v145
  %v148 = add i64 %v112, %v135
  %v149 = getelementptr inbounds float, ptr %v1, i64 %v148
  %v151 = add i64 %v113, %v135
  %v152 = getelementptr inbounds float, ptr %v1, i64 %v151
  %v162 = add i64 %v114, %v135
  %v163 = getelementptr inbounds float, ptr %v3, i64 %v162
  %v138 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v137, i32 4, <8 x i1> %v133, <8 x float> zeroinitializer)
  %v141 = fmul <8 x float> %v140, %v138
  %v144 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v143, i32 4, <8 x i1> %v133, <8 x float> zeroinitializer)
  %v147 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v146, i32 4, <8 x i1> %v133, <8 x float> zeroinitializer)
  %v150 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v149, i32 4, <8 x i1> %v133, <8 x float> zeroinitializer)
  %v153 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v152, i32 4, <8 x i1> %v133, <8 x float> zeroinitializer)
  %v154 = fadd <8 x float> %v153, %v150
  %v155 = fadd <8 x float> %v154, %v147
  %v156 = fadd <8 x float> %v155, %v144
  %v157 = fsub <8 x float> %v156, %v141
  %v160 = fmul <8 x float> %v159, %v157
  %v161 = fadd <8 x float> %v138, %v160
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v161, ptr %v163, i32 4, <8 x i1> %v133)
  br label %after24
after24:
  %v164 = icmp sge i64 %v126, %v115
  br i1 %v164, label %after21, label %whole25
whole25:
  %v166 = icmp slt i64 %v126, %v165
  br i1 %v166, label %enter26, label %after28
enter26:
  br label %loop27
loop27:
  %v167 = phi i64 [%v126, %enter26], [%v197, %stored31]
  %v168 = add i64 %v106, %v167
  %v169 = add i64 %v109, %v168
  %v170 = getelementptr inbounds float, ptr %v1, i64 %v169
  %v171 = load <8 x float>, ptr %v170, align 4
  %v172 = fmul <8 x float> %v140, %v171
  %v173 = add i64 %v110, %v168
  %v174 = getelementptr inbounds float, ptr %v1, i64 %v173
  %v175 = load <8 x float>, ptr %v174, align 4
  %v176 = add i64 %v111, %v168
  %v177 = getelementptr inbounds float, ptr %v1, i64 %v176
  %v178 = load <8 x float>, ptr %v177, align 4
  %v179 = add i64 %v112, %v168
  %v180 = getelementptr inbounds float, ptr %v1, i64 %v179
  %v181 = load <8 x float>, ptr %v180, align 4
  %v182 = add i64 %v113, %v168
  %v183 = getelementptr inbounds float, ptr %v1, i64 %v182
  %v184 = load <8 x float>, ptr %v183, align 4
  %v185 = fadd <8 x float> %v184, %v181
  %v186 = fadd <8 x float> %v185, %v178
  %v187 = fadd <8 x float> %v186, %v175
  %v188 = fsub <8 x float> %v187, %v172
  %v189 = fmul <8 x float> %v159, %v188
  %v190 = fadd <8 x float> %v171, %v189
  %v191 = add i64 %v114, %v168
  %v192 = getelementptr inbounds float, ptr %v3, i64 %v191
  %v193 = ptrtoint ptr %v192 to i64
  %v194 = and i64 %v193, 31
  %v195 = icmp eq i64 %v194, 0
  %v196 = and i1 %v195, %v42
  br i1 %v196, label %this29, label %that30
this29:
  store <8 x float> %v190, ptr %v192, align 32, !nontemporal !0
  br label %stored31
that30:
  store <8 x float> %v190, ptr %v192, align 4
  br label %stored31
stored31:
  %v197 = add i64 %v167, 8
  %v198 = icmp slt i64 %v197, %v165
  br i1 %v198, label %loop27, label %after28
after28:
  %v199 = phi i64 [%v126, %whole25], [%v197, %stored31]
  br label %rounds22
after21:
  %v200 = sub i64 %v50, %v63
  %v201 = icmp sgt i64 %v200, 0
  br i1 %v201, label %lanes32, label %after33
lanes32:
  %v202 = add i64 %v64, %v63
  %v203 = getelementptr inbounds float, ptr %v3, i64 %v202
  %v204 = ptrtoint ptr %v203 to i64
  %v205 = sub i64 0, %v204
  %v206 = and i64 %v205, 31
  %v207 = lshr i64 %v206, 2
  %v208 = call i64 @llvm.smin.i64(i64 %v207, i64 %v200)
  %v209 = select i1 %v42, i64 %v208, i64 0
  %v226 = sub i64 %v200, 7
  br label %rounds34
rounds34:
  %v210 = phi i64 [0, %lanes32], [%v240, %after40]
  %v211 = phi i64 [%v209, %lanes32], [%v200, %after40]
  %v212 = icmp slt i64 %v210, %v211
  br i1 %v212, label %part35, label %after36
part35:
  %v213 = sub i64 %v211, %v210
  %v214 = call i64 @llvm.umin.i64(i64 %v213, i64 8)
  %v215 = trunc i64 %v214 to i32
  %v216 = insertelement <8 x i32> poison, i32 %v215, i64 0
  %v217 = shufflevector <8 x i32> %v216, <8 x i32> poison, <8 x i32> zeroinitializer
  %v218 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v217
  %v219 = icmp sge i64 %v213, 8
  %v220 = add i64 %v63, %v210
  %v221 = add i64 %v64, %v220
  %v222 = getelementptr inbounds float, ptr %v1, i64 %v221
  %v224 = getelementptr inbounds float, ptr %v3, i64 %v221
  %v223 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v222, i32 4, <8 x i1> %v218, <8 x float> zeroinitializer)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v223, ptr %v224, i32 4, <8 x i1> %v218)
  br label %after36
after36:
  %v225 = icmp sge i64 %v211, %v200
  br i1 %v225, label %after33, label %whole37
whole37:
  %v227 = icmp slt i64 %v211, %v226
  br i1 %v227, label %enter38, label %after40
enter38:
  br label %loop39
loop39:
  %v228 = phi i64 [%v211, %enter38], [%v238, %stored43]
  %v229 = add i64 %v63, %v228
  %v230 = add i64 %v64, %v229
  %v231 = getelementptr inbounds float, ptr %v1, i64 %v230
  %v232 = load <8 x float>, ptr %v231, align 4
  %v233 = getelementptr inbounds float, ptr %v3, i64 %v230
  %v234 = ptrtoint ptr %v233 to i64
  %v235 = and i64 %v234, 31
  %v236 = icmp eq i64 %v235, 0
  %v237 = and i1 %v236, %v42
  br i1 %v237, label %this41, label %that42
this41:
  store <8 x float> %v232, ptr %v233, align 32, !nontemporal !0
  br label %stored43
that42:
  store <8 x float> %v232, ptr %v233, align 4
  br label %stored43
stored43:
  %v238 = add i64 %v228, 8
  %v239 = icmp slt i64 %v238, %v226
  br i1 %v239, label %loop39, label %after40
after40:
  %v240 = phi i64 [%v211, %whole37], [%v238, %stored43]
  br label %rounds34
after33:
  %v241 = add i64 %v56, 1
  %v242 = icmp slt i64 %v241, %v47
  br i1 %v242, label %loop6, label %after7
after7:
  %v243 = phi i64 [%v45, %group2], [%v241, %after33]
  br label %next4
next4:
  %v244 = add i64 %v41, 1
  %v245 = icmp slt i64 %v244, %end
  br i1 %v245, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
