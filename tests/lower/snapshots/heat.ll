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
  %v136 = insertelement <8 x float> poison, float %v37, i64 0
  %v137 = shufflevector <8 x float> %v136, <8 x float> poison, <8 x i32> zeroinitializer
  %v155 = insertelement <8 x float> poison, float %v39, i64 0
  %v156 = shufflevector <8 x float> %v155, <8 x float> poison, <8 x i32> zeroinitializer
  br label %group2
group2:
  %v41 = phi i64 [%begin, %groups1], [%v243, %next4]
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
  %v56 = phi i64 [%v45, %enter5], [%v239, %after36]
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
  %v89 = sub i64 %v65, 7
  br label %rounds10
rounds10:
  %v75 = phi i64 [0, %lanes8], [%v104, %after16]
  %v76 = phi i64 [%v74, %lanes8], [%v65, %after16]
  %v77 = icmp slt i64 %v75, %v76
  br i1 %v77, label %part11, label %after12
part11:
  %v78 = sub i64 %v76, %v75
  %v79 = trunc i64 %v78 to i32
  %v80 = insertelement <8 x i32> poison, i32 %v79, i64 0
  %v81 = shufflevector <8 x i32> %v80, <8 x i32> poison, <8 x i32> zeroinitializer
  %v82 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v81
  %v83 = add i64 %v48, %v75
  %v84 = add i64 %v64, %v83
  %v85 = getelementptr inbounds float, ptr %v1, i64 %v84
  %v87 = getelementptr inbounds float, ptr %v3, i64 %v84
  %v86 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v85, i32 4, <8 x i1> %v82, <8 x float> zeroinitializer)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v86, ptr %v87, i32 4, <8 x i1> %v82)
  br label %after12
after12:
  %v88 = icmp sge i64 %v76, %v65
  br i1 %v88, label %after9, label %whole13
whole13:
  %v90 = icmp slt i64 %v76, %v89
  br i1 %v90, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v91 = phi i64 [%v76, %enter14], [%v102, %stored19]
  %v92 = add i64 %v48, %v91
  %v93 = add i64 %v64, %v92
  %v94 = getelementptr inbounds float, ptr %v1, i64 %v93
  %v95 = load <8 x float>, ptr %v94, align 4
  %v96 = getelementptr inbounds float, ptr %v3, i64 %v93
  %v97 = ptrtoint ptr %v96 to i64
  %v98 = and i64 %v97, 31
  %v99 = icmp eq i64 %v98, 0
  %v100 = and i1 %v99, %v42
  br i1 %v100, label %this17, label %that18
this17:
  store <8 x float> %v95, ptr %v96, align 32, !nontemporal !0
  br label %stored19
that18:
  store <8 x float> %v95, ptr %v96, align 4
  br label %stored19
stored19:
  %v101 = add i64 %v91, 8
  %v102 = call i64 @llvm.fshl.i64(i64 %v101, i64 %v101, i64 0)
  %v103 = icmp slt i64 %v102, %v89
  br i1 %v103, label %loop15, label %after16
after16:
  %v104 = phi i64 [%v76, %whole13], [%v102, %stored19]
  br label %rounds10
after9:
  %v105 = sub i64 %v62, %v21
  %v106 = sub i64 %v63, %v21
  %v107 = mul i64 %v15, %v61
  %v108 = add i64 %v25, %v107
  %v109 = add i64 %v27, %v107
  %v110 = add i64 %v29, %v107
  %v111 = add i64 %v31, %v107
  %v112 = add i64 %v33, %v107
  %v113 = add i64 %v35, %v107
  br i1 %v60, label %then20, label %else21
then20:
  %v114 = sub i64 %v106, %v105
  %v115 = icmp sgt i64 %v114, 0
  br i1 %v115, label %lanes23, label %after24
lanes23:
  %v116 = add i64 %v113, %v105
  %v117 = getelementptr inbounds float, ptr %v3, i64 %v116
  %v118 = ptrtoint ptr %v117 to i64
  %v119 = sub i64 0, %v118
  %v120 = and i64 %v119, 31
  %v121 = lshr i64 %v120, 2
  %v122 = call i64 @llvm.smin.i64(i64 %v121, i64 %v114)
  %v123 = select i1 %v42, i64 %v122, i64 0
  %v162 = sub i64 %v114, 7
  br label %rounds25
rounds25:
  %v124 = phi i64 [0, %lanes23], [%v197, %after31]
  %v125 = phi i64 [%v123, %lanes23], [%v114, %after31]
  %v126 = icmp slt i64 %v124, %v125
  br i1 %v126, label %part26, label %after27
part26:
  %v127 = sub i64 %v125, %v124
  %v128 = trunc i64 %v127 to i32
  %v129 = insertelement <8 x i32> poison, i32 %v128, i64 0
  %v130 = shufflevector <8 x i32> %v129, <8 x i32> poison, <8 x i32> zeroinitializer
  %v131 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v130
  %v132 = add i64 %v105, %v124
  %v133 = add i64 %v108, %v132
  %v134 = getelementptr inbounds float, ptr %v1, i64 %v133
  %v139 = add i64 %v109, %v132
  %v140 = getelementptr inbounds float, ptr %v1, i64 %v139
  %v142 = add i64 %v110, %v132
  %v143 = getelementptr inbounds float, ptr %v1, i64 %v142
  %v145 = add i64 %v111, %v132
  %v146 = getelementptr inbounds float, ptr %v1, i64 %v145
  %v148 = add i64 %v112, %v132
  %v149 = getelementptr inbounds float, ptr %v1, i64 %v148
  %v159 = add i64 %v113, %v132
  %v160 = getelementptr inbounds float, ptr %v3, i64 %v159
  %v135 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v134, i32 4, <8 x i1> %v131, <8 x float> zeroinitializer)
  %v138 = fmul <8 x float> %v137, %v135
  %v141 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v140, i32 4, <8 x i1> %v131, <8 x float> zeroinitializer)
  %v144 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v143, i32 4, <8 x i1> %v131, <8 x float> zeroinitializer)
  %v147 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v146, i32 4, <8 x i1> %v131, <8 x float> zeroinitializer)
  %v150 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v149, i32 4, <8 x i1> %v131, <8 x float> zeroinitializer)
  %v151 = fadd <8 x float> %v150, %v147
  %v152 = fadd <8 x float> %v151, %v144
  %v153 = fadd <8 x float> %v152, %v141
  %v154 = fsub <8 x float> %v153, %v138
  %v157 = fmul <8 x float> %v156, %v154
  %v158 = fadd <8 x float> %v135, %v157
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v158, ptr %v160, i32 4, <8 x i1> %v131)
  br label %after27
after27:
  %v161 = icmp sge i64 %v125, %v114
  br i1 %v161, label %after24, label %whole28
whole28:
  %v163 = icmp slt i64 %v125, %v162
  br i1 %v163, label %enter29, label %after31
enter29:
  br label %loop30
loop30:
  %v164 = phi i64 [%v125, %enter29], [%v195, %stored34]
  %v165 = add i64 %v105, %v164
  %v166 = add i64 %v108, %v165
  %v167 = getelementptr inbounds float, ptr %v1, i64 %v166
  %v168 = load <8 x float>, ptr %v167, align 4
  %v169 = fmul <8 x float> %v137, %v168
  %v170 = add i64 %v109, %v165
  %v171 = getelementptr inbounds float, ptr %v1, i64 %v170
  %v172 = load <8 x float>, ptr %v171, align 4
  %v173 = add i64 %v110, %v165
  %v174 = getelementptr inbounds float, ptr %v1, i64 %v173
  %v175 = load <8 x float>, ptr %v174, align 4
  %v176 = add i64 %v111, %v165
  %v177 = getelementptr inbounds float, ptr %v1, i64 %v176
  %v178 = load <8 x float>, ptr %v177, align 4
  %v179 = add i64 %v112, %v165
  %v180 = getelementptr inbounds float, ptr %v1, i64 %v179
  %v181 = load <8 x float>, ptr %v180, align 4
  %v182 = fadd <8 x float> %v181, %v178
  %v183 = fadd <8 x float> %v182, %v175
  %v184 = fadd <8 x float> %v183, %v172
  %v185 = fsub <8 x float> %v184, %v169
  %v186 = fmul <8 x float> %v156, %v185
  %v187 = fadd <8 x float> %v168, %v186
  %v188 = add i64 %v113, %v165
  %v189 = getelementptr inbounds float, ptr %v3, i64 %v188
  %v190 = ptrtoint ptr %v189 to i64
  %v191 = and i64 %v190, 31
  %v192 = icmp eq i64 %v191, 0
  %v193 = and i1 %v192, %v42
  br i1 %v193, label %this32, label %that33
this32:
  store <8 x float> %v187, ptr %v189, align 32, !nontemporal !0
  br label %stored34
that33:
  store <8 x float> %v187, ptr %v189, align 4
  br label %stored34
stored34:
  %v194 = add i64 %v164, 8
  %v195 = call i64 @llvm.fshl.i64(i64 %v194, i64 %v194, i64 0)
  %v196 = icmp slt i64 %v195, %v162
  br i1 %v196, label %loop30, label %after31
after31:
  %v197 = phi i64 [%v125, %whole28], [%v195, %stored34]
  br label %rounds25
after24:
  br label %after22
else21:
  br label %after22
after22:
  %v198 = sub i64 %v50, %v63
  %v199 = icmp sgt i64 %v198, 0
  br i1 %v199, label %lanes35, label %after36
lanes35:
  %v200 = add i64 %v64, %v63
  %v201 = getelementptr inbounds float, ptr %v3, i64 %v200
  %v202 = ptrtoint ptr %v201 to i64
  %v203 = sub i64 0, %v202
  %v204 = and i64 %v203, 31
  %v205 = lshr i64 %v204, 2
  %v206 = call i64 @llvm.smin.i64(i64 %v205, i64 %v198)
  %v207 = select i1 %v42, i64 %v206, i64 0
  %v222 = sub i64 %v198, 7
  br label %rounds37
rounds37:
  %v208 = phi i64 [0, %lanes35], [%v237, %after43]
  %v209 = phi i64 [%v207, %lanes35], [%v198, %after43]
  %v210 = icmp slt i64 %v208, %v209
  br i1 %v210, label %part38, label %after39
part38:
  %v211 = sub i64 %v209, %v208
  %v212 = trunc i64 %v211 to i32
  %v213 = insertelement <8 x i32> poison, i32 %v212, i64 0
  %v214 = shufflevector <8 x i32> %v213, <8 x i32> poison, <8 x i32> zeroinitializer
  %v215 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v214
  %v216 = add i64 %v63, %v208
  %v217 = add i64 %v64, %v216
  %v218 = getelementptr inbounds float, ptr %v1, i64 %v217
  %v220 = getelementptr inbounds float, ptr %v3, i64 %v217
  %v219 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v218, i32 4, <8 x i1> %v215, <8 x float> zeroinitializer)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v219, ptr %v220, i32 4, <8 x i1> %v215)
  br label %after39
after39:
  %v221 = icmp sge i64 %v209, %v198
  br i1 %v221, label %after36, label %whole40
whole40:
  %v223 = icmp slt i64 %v209, %v222
  br i1 %v223, label %enter41, label %after43
enter41:
  br label %loop42
loop42:
  %v224 = phi i64 [%v209, %enter41], [%v235, %stored46]
  %v225 = add i64 %v63, %v224
  %v226 = add i64 %v64, %v225
  %v227 = getelementptr inbounds float, ptr %v1, i64 %v226
  %v228 = load <8 x float>, ptr %v227, align 4
  %v229 = getelementptr inbounds float, ptr %v3, i64 %v226
  %v230 = ptrtoint ptr %v229 to i64
  %v231 = and i64 %v230, 31
  %v232 = icmp eq i64 %v231, 0
  %v233 = and i1 %v232, %v42
  br i1 %v233, label %this44, label %that45
this44:
  store <8 x float> %v228, ptr %v229, align 32, !nontemporal !0
  br label %stored46
that45:
  store <8 x float> %v228, ptr %v229, align 4
  br label %stored46
stored46:
  %v234 = add i64 %v224, 8
  %v235 = call i64 @llvm.fshl.i64(i64 %v234, i64 %v234, i64 0)
  %v236 = icmp slt i64 %v235, %v222
  br i1 %v236, label %loop42, label %after43
after43:
  %v237 = phi i64 [%v209, %whole40], [%v235, %stored46]
  br label %rounds37
after36:
  %v238 = add i64 %v56, 1
  %v239 = call i64 @llvm.fshl.i64(i64 %v238, i64 %v238, i64 0)
  %v240 = icmp slt i64 %v239, %v47
  br i1 %v240, label %loop6, label %after7
after7:
  %v241 = phi i64 [%v45, %group2], [%v239, %after36]
  br label %next4
next4:
  %v242 = add i64 %v41, 1
  %v243 = call i64 @llvm.fshl.i64(i64 %v242, i64 %v242, i64 0)
  %v244 = icmp slt i64 %v243, %end
  br i1 %v244, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
