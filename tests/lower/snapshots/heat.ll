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
  %v140 = insertelement <8 x float> poison, float %v37, i64 0
  %v141 = shufflevector <8 x float> %v140, <8 x float> poison, <8 x i32> zeroinitializer
  %v159 = insertelement <8 x float> poison, float %v39, i64 0
  %v160 = shufflevector <8 x float> %v159, <8 x float> poison, <8 x i32> zeroinitializer
  br label %group2
group2:
  %v41 = phi i64 [%begin, %groups1], [%v249, %next4]
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
  %v56 = phi i64 [%v45, %enter5], [%v245, %after36]
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
  %v75 = phi i64 [0, %lanes8], [%v106, %after16]
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
  %v93 = phi i64 [%v76, %enter14], [%v104, %stored19]
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
  %v104 = call i64 @llvm.fshl.i64(i64 %v103, i64 %v103, i64 0)
  %v105 = icmp slt i64 %v104, %v91
  br i1 %v105, label %loop15, label %after16
after16:
  %v106 = phi i64 [%v76, %whole13], [%v104, %stored19]
  br label %rounds10
after9:
  %v107 = sub i64 %v62, %v21
  %v108 = sub i64 %v63, %v21
  %v109 = mul i64 %v15, %v61
  %v110 = add i64 %v25, %v109
  %v111 = add i64 %v27, %v109
  %v112 = add i64 %v29, %v109
  %v113 = add i64 %v31, %v109
  %v114 = add i64 %v33, %v109
  %v115 = add i64 %v35, %v109
  br i1 %v60, label %then20, label %else21
then20:
  %v116 = sub i64 %v108, %v107
  %v117 = icmp sgt i64 %v116, 0
  br i1 %v117, label %lanes23, label %after24
lanes23:
  %v118 = add i64 %v115, %v107
  %v119 = getelementptr inbounds float, ptr %v3, i64 %v118
  %v120 = ptrtoint ptr %v119 to i64
  %v121 = sub i64 0, %v120
  %v122 = and i64 %v121, 31
  %v123 = lshr i64 %v122, 2
  %v124 = call i64 @llvm.smin.i64(i64 %v123, i64 %v116)
  %v125 = select i1 %v42, i64 %v124, i64 0
  %v166 = sub i64 %v116, 7
  br label %rounds25
rounds25:
  %v126 = phi i64 [0, %lanes23], [%v201, %after31]
  %v127 = phi i64 [%v125, %lanes23], [%v116, %after31]
  %v128 = icmp slt i64 %v126, %v127
  br i1 %v128, label %part26, label %after27
part26:
  %v129 = sub i64 %v127, %v126
  %v130 = call i64 @llvm.umin.i64(i64 %v129, i64 8)
  %v131 = trunc i64 %v130 to i32
  %v132 = insertelement <8 x i32> poison, i32 %v131, i64 0
  %v133 = shufflevector <8 x i32> %v132, <8 x i32> poison, <8 x i32> zeroinitializer
  %v134 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v133
  %v135 = icmp sge i64 %v129, 8
  %v136 = add i64 %v107, %v126
  %v137 = add i64 %v110, %v136
  %v138 = getelementptr inbounds float, ptr %v1, i64 %v137
  %v143 = add i64 %v111, %v136
  %v144 = getelementptr inbounds float, ptr %v1, i64 %v143
  %v146 = add i64 %v112, %v136
  %v147 = getelementptr inbounds float, ptr %v1, i64 %v146
  %v149 = add i64 %v113, %v136
  %v150 = getelementptr inbounds float, ptr %v1, i64 %v149
  %v152 = add i64 %v114, %v136
  %v153 = getelementptr inbounds float, ptr %v1, i64 %v152
  %v163 = add i64 %v115, %v136
  %v164 = getelementptr inbounds float, ptr %v3, i64 %v163
  %v139 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v138, i32 4, <8 x i1> %v134, <8 x float> zeroinitializer)
  %v142 = fmul <8 x float> %v141, %v139
  %v145 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v144, i32 4, <8 x i1> %v134, <8 x float> zeroinitializer)
  %v148 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v147, i32 4, <8 x i1> %v134, <8 x float> zeroinitializer)
  %v151 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v150, i32 4, <8 x i1> %v134, <8 x float> zeroinitializer)
  %v154 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v153, i32 4, <8 x i1> %v134, <8 x float> zeroinitializer)
  %v155 = fadd <8 x float> %v154, %v151
  %v156 = fadd <8 x float> %v155, %v148
  %v157 = fadd <8 x float> %v156, %v145
  %v158 = fsub <8 x float> %v157, %v142
  %v161 = fmul <8 x float> %v160, %v158
  %v162 = fadd <8 x float> %v139, %v161
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v162, ptr %v164, i32 4, <8 x i1> %v134)
  br label %after27
after27:
  %v165 = icmp sge i64 %v127, %v116
  br i1 %v165, label %after24, label %whole28
whole28:
  %v167 = icmp slt i64 %v127, %v166
  br i1 %v167, label %enter29, label %after31
enter29:
  br label %loop30
loop30:
  %v168 = phi i64 [%v127, %enter29], [%v199, %stored34]
  %v169 = add i64 %v107, %v168
  %v170 = add i64 %v110, %v169
  %v171 = getelementptr inbounds float, ptr %v1, i64 %v170
  %v172 = load <8 x float>, ptr %v171, align 4
  %v173 = fmul <8 x float> %v141, %v172
  %v174 = add i64 %v111, %v169
  %v175 = getelementptr inbounds float, ptr %v1, i64 %v174
  %v176 = load <8 x float>, ptr %v175, align 4
  %v177 = add i64 %v112, %v169
  %v178 = getelementptr inbounds float, ptr %v1, i64 %v177
  %v179 = load <8 x float>, ptr %v178, align 4
  %v180 = add i64 %v113, %v169
  %v181 = getelementptr inbounds float, ptr %v1, i64 %v180
  %v182 = load <8 x float>, ptr %v181, align 4
  %v183 = add i64 %v114, %v169
  %v184 = getelementptr inbounds float, ptr %v1, i64 %v183
  %v185 = load <8 x float>, ptr %v184, align 4
  %v186 = fadd <8 x float> %v185, %v182
  %v187 = fadd <8 x float> %v186, %v179
  %v188 = fadd <8 x float> %v187, %v176
  %v189 = fsub <8 x float> %v188, %v173
  %v190 = fmul <8 x float> %v160, %v189
  %v191 = fadd <8 x float> %v172, %v190
  %v192 = add i64 %v115, %v169
  %v193 = getelementptr inbounds float, ptr %v3, i64 %v192
  %v194 = ptrtoint ptr %v193 to i64
  %v195 = and i64 %v194, 31
  %v196 = icmp eq i64 %v195, 0
  %v197 = and i1 %v196, %v42
  br i1 %v197, label %this32, label %that33
this32:
  store <8 x float> %v191, ptr %v193, align 32, !nontemporal !0
  br label %stored34
that33:
  store <8 x float> %v191, ptr %v193, align 4
  br label %stored34
stored34:
  %v198 = add i64 %v168, 8
  %v199 = call i64 @llvm.fshl.i64(i64 %v198, i64 %v198, i64 0)
  %v200 = icmp slt i64 %v199, %v166
  br i1 %v200, label %loop30, label %after31
after31:
  %v201 = phi i64 [%v127, %whole28], [%v199, %stored34]
  br label %rounds25
after24:
  br label %after22
else21:
  br label %after22
after22:
  %v202 = sub i64 %v50, %v63
  %v203 = icmp sgt i64 %v202, 0
  br i1 %v203, label %lanes35, label %after36
lanes35:
  %v204 = add i64 %v64, %v63
  %v205 = getelementptr inbounds float, ptr %v3, i64 %v204
  %v206 = ptrtoint ptr %v205 to i64
  %v207 = sub i64 0, %v206
  %v208 = and i64 %v207, 31
  %v209 = lshr i64 %v208, 2
  %v210 = call i64 @llvm.smin.i64(i64 %v209, i64 %v202)
  %v211 = select i1 %v42, i64 %v210, i64 0
  %v228 = sub i64 %v202, 7
  br label %rounds37
rounds37:
  %v212 = phi i64 [0, %lanes35], [%v243, %after43]
  %v213 = phi i64 [%v211, %lanes35], [%v202, %after43]
  %v214 = icmp slt i64 %v212, %v213
  br i1 %v214, label %part38, label %after39
part38:
  %v215 = sub i64 %v213, %v212
  %v216 = call i64 @llvm.umin.i64(i64 %v215, i64 8)
  %v217 = trunc i64 %v216 to i32
  %v218 = insertelement <8 x i32> poison, i32 %v217, i64 0
  %v219 = shufflevector <8 x i32> %v218, <8 x i32> poison, <8 x i32> zeroinitializer
  %v220 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v219
  %v221 = icmp sge i64 %v215, 8
  %v222 = add i64 %v63, %v212
  %v223 = add i64 %v64, %v222
  %v224 = getelementptr inbounds float, ptr %v1, i64 %v223
  %v226 = getelementptr inbounds float, ptr %v3, i64 %v223
  %v225 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v224, i32 4, <8 x i1> %v220, <8 x float> zeroinitializer)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v225, ptr %v226, i32 4, <8 x i1> %v220)
  br label %after39
after39:
  %v227 = icmp sge i64 %v213, %v202
  br i1 %v227, label %after36, label %whole40
whole40:
  %v229 = icmp slt i64 %v213, %v228
  br i1 %v229, label %enter41, label %after43
enter41:
  br label %loop42
loop42:
  %v230 = phi i64 [%v213, %enter41], [%v241, %stored46]
  %v231 = add i64 %v63, %v230
  %v232 = add i64 %v64, %v231
  %v233 = getelementptr inbounds float, ptr %v1, i64 %v232
  %v234 = load <8 x float>, ptr %v233, align 4
  %v235 = getelementptr inbounds float, ptr %v3, i64 %v232
  %v236 = ptrtoint ptr %v235 to i64
  %v237 = and i64 %v236, 31
  %v238 = icmp eq i64 %v237, 0
  %v239 = and i1 %v238, %v42
  br i1 %v239, label %this44, label %that45
this44:
  store <8 x float> %v234, ptr %v235, align 32, !nontemporal !0
  br label %stored46
that45:
  store <8 x float> %v234, ptr %v235, align 4
  br label %stored46
stored46:
  %v240 = add i64 %v230, 8
  %v241 = call i64 @llvm.fshl.i64(i64 %v240, i64 %v240, i64 0)
  %v242 = icmp slt i64 %v241, %v228
  br i1 %v242, label %loop42, label %after43
after43:
  %v243 = phi i64 [%v213, %whole40], [%v241, %stored46]
  br label %rounds37
after36:
  %v244 = add i64 %v56, 1
  %v245 = call i64 @llvm.fshl.i64(i64 %v244, i64 %v244, i64 0)
  %v246 = icmp slt i64 %v245, %v47
  br i1 %v246, label %loop6, label %after7
after7:
  %v247 = phi i64 [%v45, %group2], [%v245, %after36]
  br label %next4
next4:
  %v248 = add i64 %v41, 1
  %v249 = call i64 @llvm.fshl.i64(i64 %v248, i64 %v248, i64 0)
  %v250 = icmp slt i64 %v249, %end
  br i1 %v250, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
