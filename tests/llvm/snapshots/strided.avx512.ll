target triple = "x86_64-unknown-linux-gnu"
define void @strided(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind "prefer-vector-width"="512" "min-legal-vector-width"="512" {
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
  %v14 = icmp slt i64 %begin, %end
  br i1 %v14, label %groups1, label %finished3
groups1:
  %v16 = icmp sgt i64 %v5, 0
  %v17 = sub i64 %v5, 15
  %v18 = icmp slt i64 0, %v17
  %v29 = mul i64 %v9, 2
  %v34 = mul i64 %v9, 3
  %v39 = mul i64 %v9, 4
  %v44 = mul i64 %v9, 5
  %v49 = mul i64 %v9, 6
  %v54 = mul i64 %v9, 7
  %v59 = mul i64 %v9, 8
  %v64 = mul i64 %v9, 9
  %v69 = mul i64 %v9, 10
  %v74 = mul i64 %v9, 11
  %v79 = mul i64 %v9, 12
  %v84 = mul i64 %v9, 13
  %v89 = mul i64 %v9, 14
  %v94 = mul i64 %v9, 15
  %v106 = mul i64 %v13, 2
  %v110 = mul i64 %v13, 3
  %v114 = mul i64 %v13, 4
  %v118 = mul i64 %v13, 5
  %v122 = mul i64 %v13, 6
  %v126 = mul i64 %v13, 7
  %v130 = mul i64 %v13, 8
  %v134 = mul i64 %v13, 9
  %v138 = mul i64 %v13, 10
  %v142 = mul i64 %v13, 11
  %v146 = mul i64 %v13, 12
  %v150 = mul i64 %v13, 13
  %v154 = mul i64 %v13, 14
  %v158 = mul i64 %v13, 15
  br label %group2
group2:
  %v15 = phi i64 [%begin, %groups1], [%v180, %next4]
  br i1 %v16, label %lanes5, label %after6
lanes5:
  br i1 %v18, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v19 = phi i64 [0, %enter7], [%v163, %loop8]
  %v20 = mul i64 %v19, %v9
  %v21 = add i64 %v7, %v20
  %v22 = getelementptr inbounds float, ptr %v1, i64 %v21
  %v23 = load float, ptr %v22, align 4
  %v24 = insertelement <16 x float> poison, float %v23, i64 0
  %v25 = add i64 %v21, %v9
  %v26 = getelementptr inbounds float, ptr %v1, i64 %v25
  %v27 = load float, ptr %v26, align 4
  %v28 = insertelement <16 x float> %v24, float %v27, i64 1
  %v30 = add i64 %v21, %v29
  %v31 = getelementptr inbounds float, ptr %v1, i64 %v30
  %v32 = load float, ptr %v31, align 4
  %v33 = insertelement <16 x float> %v28, float %v32, i64 2
  %v35 = add i64 %v21, %v34
  %v36 = getelementptr inbounds float, ptr %v1, i64 %v35
  %v37 = load float, ptr %v36, align 4
  %v38 = insertelement <16 x float> %v33, float %v37, i64 3
  %v40 = add i64 %v21, %v39
  %v41 = getelementptr inbounds float, ptr %v1, i64 %v40
  %v42 = load float, ptr %v41, align 4
  %v43 = insertelement <16 x float> %v38, float %v42, i64 4
  %v45 = add i64 %v21, %v44
  %v46 = getelementptr inbounds float, ptr %v1, i64 %v45
  %v47 = load float, ptr %v46, align 4
  %v48 = insertelement <16 x float> %v43, float %v47, i64 5
  %v50 = add i64 %v21, %v49
  %v51 = getelementptr inbounds float, ptr %v1, i64 %v50
  %v52 = load float, ptr %v51, align 4
  %v53 = insertelement <16 x float> %v48, float %v52, i64 6
  %v55 = add i64 %v21, %v54
  %v56 = getelementptr inbounds float, ptr %v1, i64 %v55
  %v57 = load float, ptr %v56, align 4
  %v58 = insertelement <16 x float> %v53, float %v57, i64 7
  %v60 = add i64 %v21, %v59
  %v61 = getelementptr inbounds float, ptr %v1, i64 %v60
  %v62 = load float, ptr %v61, align 4
  %v63 = insertelement <16 x float> %v58, float %v62, i64 8
  %v65 = add i64 %v21, %v64
  %v66 = getelementptr inbounds float, ptr %v1, i64 %v65
  %v67 = load float, ptr %v66, align 4
  %v68 = insertelement <16 x float> %v63, float %v67, i64 9
  %v70 = add i64 %v21, %v69
  %v71 = getelementptr inbounds float, ptr %v1, i64 %v70
  %v72 = load float, ptr %v71, align 4
  %v73 = insertelement <16 x float> %v68, float %v72, i64 10
  %v75 = add i64 %v21, %v74
  %v76 = getelementptr inbounds float, ptr %v1, i64 %v75
  %v77 = load float, ptr %v76, align 4
  %v78 = insertelement <16 x float> %v73, float %v77, i64 11
  %v80 = add i64 %v21, %v79
  %v81 = getelementptr inbounds float, ptr %v1, i64 %v80
  %v82 = load float, ptr %v81, align 4
  %v83 = insertelement <16 x float> %v78, float %v82, i64 12
  %v85 = add i64 %v21, %v84
  %v86 = getelementptr inbounds float, ptr %v1, i64 %v85
  %v87 = load float, ptr %v86, align 4
  %v88 = insertelement <16 x float> %v83, float %v87, i64 13
  %v90 = add i64 %v21, %v89
  %v91 = getelementptr inbounds float, ptr %v1, i64 %v90
  %v92 = load float, ptr %v91, align 4
  %v93 = insertelement <16 x float> %v88, float %v92, i64 14
  %v95 = add i64 %v21, %v94
  %v96 = getelementptr inbounds float, ptr %v1, i64 %v95
  %v97 = load float, ptr %v96, align 4
  %v98 = insertelement <16 x float> %v93, float %v97, i64 15
  %v99 = mul i64 %v19, %v13
  %v100 = add i64 %v11, %v99
  %v101 = getelementptr inbounds float, ptr %v3, i64 %v100
  %v102 = extractelement <16 x float> %v98, i64 0
  store float %v102, ptr %v101, align 4
  %v103 = add i64 %v100, %v13
  %v104 = getelementptr inbounds float, ptr %v3, i64 %v103
  %v105 = extractelement <16 x float> %v98, i64 1
  store float %v105, ptr %v104, align 4
  %v107 = add i64 %v100, %v106
  %v108 = getelementptr inbounds float, ptr %v3, i64 %v107
  %v109 = extractelement <16 x float> %v98, i64 2
  store float %v109, ptr %v108, align 4
  %v111 = add i64 %v100, %v110
  %v112 = getelementptr inbounds float, ptr %v3, i64 %v111
  %v113 = extractelement <16 x float> %v98, i64 3
  store float %v113, ptr %v112, align 4
  %v115 = add i64 %v100, %v114
  %v116 = getelementptr inbounds float, ptr %v3, i64 %v115
  %v117 = extractelement <16 x float> %v98, i64 4
  store float %v117, ptr %v116, align 4
  %v119 = add i64 %v100, %v118
  %v120 = getelementptr inbounds float, ptr %v3, i64 %v119
  %v121 = extractelement <16 x float> %v98, i64 5
  store float %v121, ptr %v120, align 4
  %v123 = add i64 %v100, %v122
  %v124 = getelementptr inbounds float, ptr %v3, i64 %v123
  %v125 = extractelement <16 x float> %v98, i64 6
  store float %v125, ptr %v124, align 4
  %v127 = add i64 %v100, %v126
  %v128 = getelementptr inbounds float, ptr %v3, i64 %v127
  %v129 = extractelement <16 x float> %v98, i64 7
  store float %v129, ptr %v128, align 4
  %v131 = add i64 %v100, %v130
  %v132 = getelementptr inbounds float, ptr %v3, i64 %v131
  %v133 = extractelement <16 x float> %v98, i64 8
  store float %v133, ptr %v132, align 4
  %v135 = add i64 %v100, %v134
  %v136 = getelementptr inbounds float, ptr %v3, i64 %v135
  %v137 = extractelement <16 x float> %v98, i64 9
  store float %v137, ptr %v136, align 4
  %v139 = add i64 %v100, %v138
  %v140 = getelementptr inbounds float, ptr %v3, i64 %v139
  %v141 = extractelement <16 x float> %v98, i64 10
  store float %v141, ptr %v140, align 4
  %v143 = add i64 %v100, %v142
  %v144 = getelementptr inbounds float, ptr %v3, i64 %v143
  %v145 = extractelement <16 x float> %v98, i64 11
  store float %v145, ptr %v144, align 4
  %v147 = add i64 %v100, %v146
  %v148 = getelementptr inbounds float, ptr %v3, i64 %v147
  %v149 = extractelement <16 x float> %v98, i64 12
  store float %v149, ptr %v148, align 4
  %v151 = add i64 %v100, %v150
  %v152 = getelementptr inbounds float, ptr %v3, i64 %v151
  %v153 = extractelement <16 x float> %v98, i64 13
  store float %v153, ptr %v152, align 4
  %v155 = add i64 %v100, %v154
  %v156 = getelementptr inbounds float, ptr %v3, i64 %v155
  %v157 = extractelement <16 x float> %v98, i64 14
  store float %v157, ptr %v156, align 4
  %v159 = add i64 %v100, %v158
  %v160 = getelementptr inbounds float, ptr %v3, i64 %v159
  %v161 = extractelement <16 x float> %v98, i64 15
  store float %v161, ptr %v160, align 4
  %v162 = add i64 %v19, 16
  %v163 = call i64 @llvm.fshl.i64(i64 %v162, i64 %v162, i64 0)
  %v164 = icmp slt i64 %v163, %v17
  br i1 %v164, label %loop8, label %after9
after9:
  %v165 = phi i64 [0, %lanes5], [%v163, %loop8]
  %v166 = icmp slt i64 %v165, %v5
  br i1 %v166, label %enter10, label %after12
enter10:
  br label %loop11
loop11:
  %v167 = phi i64 [%v165, %enter10], [%v176, %loop11]
  %v168 = mul i64 %v9, %v167
  %v169 = add i64 %v7, %v168
  %v170 = getelementptr inbounds float, ptr %v1, i64 %v169
  %v171 = load float, ptr %v170, align 4
  %v172 = mul i64 %v13, %v167
  %v173 = add i64 %v11, %v172
  %v174 = getelementptr inbounds float, ptr %v3, i64 %v173
  store float %v171, ptr %v174, align 4
  %v175 = add i64 %v167, 1
  %v176 = call i64 @llvm.fshl.i64(i64 %v175, i64 %v175, i64 0)
  %v177 = icmp slt i64 %v176, %v5
  br i1 %v177, label %loop11, label %after12
after12:
  %v178 = phi i64 [%v165, %after9], [%v176, %loop11]
  br label %after6
after6:
  br label %next4
next4:
  %v179 = add i64 %v15, 1
  %v180 = call i64 @llvm.fshl.i64(i64 %v179, i64 %v179, i64 0)
  %v181 = icmp slt i64 %v180, %end
  br i1 %v181, label %group2, label %finished3
finished3:
  ret void
}
