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
  %v22 = getelementptr float, ptr %v1, i64 %v7
  %v27 = getelementptr float, ptr %v22, i64 %v9
  %v31 = mul i64 %v9, 2
  %v33 = getelementptr float, ptr %v22, i64 %v31
  %v37 = mul i64 %v9, 3
  %v39 = getelementptr float, ptr %v22, i64 %v37
  %v43 = mul i64 %v9, 4
  %v45 = getelementptr float, ptr %v22, i64 %v43
  %v49 = mul i64 %v9, 5
  %v51 = getelementptr float, ptr %v22, i64 %v49
  %v55 = mul i64 %v9, 6
  %v57 = getelementptr float, ptr %v22, i64 %v55
  %v61 = mul i64 %v9, 7
  %v63 = getelementptr float, ptr %v22, i64 %v61
  %v67 = mul i64 %v9, 8
  %v69 = getelementptr float, ptr %v22, i64 %v67
  %v73 = mul i64 %v9, 9
  %v75 = getelementptr float, ptr %v22, i64 %v73
  %v79 = mul i64 %v9, 10
  %v81 = getelementptr float, ptr %v22, i64 %v79
  %v85 = mul i64 %v9, 11
  %v87 = getelementptr float, ptr %v22, i64 %v85
  %v91 = mul i64 %v9, 12
  %v93 = getelementptr float, ptr %v22, i64 %v91
  %v97 = mul i64 %v9, 13
  %v99 = getelementptr float, ptr %v22, i64 %v97
  %v103 = mul i64 %v9, 14
  %v105 = getelementptr float, ptr %v22, i64 %v103
  %v109 = mul i64 %v9, 15
  %v111 = getelementptr float, ptr %v22, i64 %v109
  %v117 = getelementptr float, ptr %v3, i64 %v11
  %v121 = getelementptr float, ptr %v117, i64 %v13
  %v124 = mul i64 %v13, 2
  %v126 = getelementptr float, ptr %v117, i64 %v124
  %v129 = mul i64 %v13, 3
  %v131 = getelementptr float, ptr %v117, i64 %v129
  %v134 = mul i64 %v13, 4
  %v136 = getelementptr float, ptr %v117, i64 %v134
  %v139 = mul i64 %v13, 5
  %v141 = getelementptr float, ptr %v117, i64 %v139
  %v144 = mul i64 %v13, 6
  %v146 = getelementptr float, ptr %v117, i64 %v144
  %v149 = mul i64 %v13, 7
  %v151 = getelementptr float, ptr %v117, i64 %v149
  %v154 = mul i64 %v13, 8
  %v156 = getelementptr float, ptr %v117, i64 %v154
  %v159 = mul i64 %v13, 9
  %v161 = getelementptr float, ptr %v117, i64 %v159
  %v164 = mul i64 %v13, 10
  %v166 = getelementptr float, ptr %v117, i64 %v164
  %v169 = mul i64 %v13, 11
  %v171 = getelementptr float, ptr %v117, i64 %v169
  %v174 = mul i64 %v13, 12
  %v176 = getelementptr float, ptr %v117, i64 %v174
  %v179 = mul i64 %v13, 13
  %v181 = getelementptr float, ptr %v117, i64 %v179
  %v184 = mul i64 %v13, 14
  %v186 = getelementptr float, ptr %v117, i64 %v184
  %v189 = mul i64 %v13, 15
  %v191 = getelementptr float, ptr %v117, i64 %v189
  br label %group2
group2:
  %v15 = phi i64 [%begin, %groups1], [%v212, %next4]
  br i1 %v16, label %lanes5, label %after6
lanes5:
  br i1 %v18, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v19 = phi i64 [0, %enter7], [%v195, %loop8]
  %v20 = mul i64 %v19, %v9
  %v21 = add i64 %v7, %v20
  %v23 = getelementptr float, ptr %v22, i64 %v20
  %v24 = load float, ptr %v23, align 4
  %v25 = insertelement <16 x float> poison, float %v24, i64 0
  %v26 = add i64 %v21, %v9
  %v28 = getelementptr float, ptr %v27, i64 %v20
  %v29 = load float, ptr %v28, align 4
  %v30 = insertelement <16 x float> %v25, float %v29, i64 1
  %v32 = add i64 %v21, %v31
  %v34 = getelementptr float, ptr %v33, i64 %v20
  %v35 = load float, ptr %v34, align 4
  %v36 = insertelement <16 x float> %v30, float %v35, i64 2
  %v38 = add i64 %v21, %v37
  %v40 = getelementptr float, ptr %v39, i64 %v20
  %v41 = load float, ptr %v40, align 4
  %v42 = insertelement <16 x float> %v36, float %v41, i64 3
  %v44 = add i64 %v21, %v43
  %v46 = getelementptr float, ptr %v45, i64 %v20
  %v47 = load float, ptr %v46, align 4
  %v48 = insertelement <16 x float> %v42, float %v47, i64 4
  %v50 = add i64 %v21, %v49
  %v52 = getelementptr float, ptr %v51, i64 %v20
  %v53 = load float, ptr %v52, align 4
  %v54 = insertelement <16 x float> %v48, float %v53, i64 5
  %v56 = add i64 %v21, %v55
  %v58 = getelementptr float, ptr %v57, i64 %v20
  %v59 = load float, ptr %v58, align 4
  %v60 = insertelement <16 x float> %v54, float %v59, i64 6
  %v62 = add i64 %v21, %v61
  %v64 = getelementptr float, ptr %v63, i64 %v20
  %v65 = load float, ptr %v64, align 4
  %v66 = insertelement <16 x float> %v60, float %v65, i64 7
  %v68 = add i64 %v21, %v67
  %v70 = getelementptr float, ptr %v69, i64 %v20
  %v71 = load float, ptr %v70, align 4
  %v72 = insertelement <16 x float> %v66, float %v71, i64 8
  %v74 = add i64 %v21, %v73
  %v76 = getelementptr float, ptr %v75, i64 %v20
  %v77 = load float, ptr %v76, align 4
  %v78 = insertelement <16 x float> %v72, float %v77, i64 9
  %v80 = add i64 %v21, %v79
  %v82 = getelementptr float, ptr %v81, i64 %v20
  %v83 = load float, ptr %v82, align 4
  %v84 = insertelement <16 x float> %v78, float %v83, i64 10
  %v86 = add i64 %v21, %v85
  %v88 = getelementptr float, ptr %v87, i64 %v20
  %v89 = load float, ptr %v88, align 4
  %v90 = insertelement <16 x float> %v84, float %v89, i64 11
  %v92 = add i64 %v21, %v91
  %v94 = getelementptr float, ptr %v93, i64 %v20
  %v95 = load float, ptr %v94, align 4
  %v96 = insertelement <16 x float> %v90, float %v95, i64 12
  %v98 = add i64 %v21, %v97
  %v100 = getelementptr float, ptr %v99, i64 %v20
  %v101 = load float, ptr %v100, align 4
  %v102 = insertelement <16 x float> %v96, float %v101, i64 13
  %v104 = add i64 %v21, %v103
  %v106 = getelementptr float, ptr %v105, i64 %v20
  %v107 = load float, ptr %v106, align 4
  %v108 = insertelement <16 x float> %v102, float %v107, i64 14
  %v110 = add i64 %v21, %v109
  %v112 = getelementptr float, ptr %v111, i64 %v20
  %v113 = load float, ptr %v112, align 4
  %v114 = insertelement <16 x float> %v108, float %v113, i64 15
  %v115 = mul i64 %v19, %v13
  %v116 = add i64 %v11, %v115
  %v118 = getelementptr float, ptr %v117, i64 %v115
  %v119 = extractelement <16 x float> %v114, i64 0
  store float %v119, ptr %v118, align 4
  %v120 = add i64 %v116, %v13
  %v122 = getelementptr float, ptr %v121, i64 %v115
  %v123 = extractelement <16 x float> %v114, i64 1
  store float %v123, ptr %v122, align 4
  %v125 = add i64 %v116, %v124
  %v127 = getelementptr float, ptr %v126, i64 %v115
  %v128 = extractelement <16 x float> %v114, i64 2
  store float %v128, ptr %v127, align 4
  %v130 = add i64 %v116, %v129
  %v132 = getelementptr float, ptr %v131, i64 %v115
  %v133 = extractelement <16 x float> %v114, i64 3
  store float %v133, ptr %v132, align 4
  %v135 = add i64 %v116, %v134
  %v137 = getelementptr float, ptr %v136, i64 %v115
  %v138 = extractelement <16 x float> %v114, i64 4
  store float %v138, ptr %v137, align 4
  %v140 = add i64 %v116, %v139
  %v142 = getelementptr float, ptr %v141, i64 %v115
  %v143 = extractelement <16 x float> %v114, i64 5
  store float %v143, ptr %v142, align 4
  %v145 = add i64 %v116, %v144
  %v147 = getelementptr float, ptr %v146, i64 %v115
  %v148 = extractelement <16 x float> %v114, i64 6
  store float %v148, ptr %v147, align 4
  %v150 = add i64 %v116, %v149
  %v152 = getelementptr float, ptr %v151, i64 %v115
  %v153 = extractelement <16 x float> %v114, i64 7
  store float %v153, ptr %v152, align 4
  %v155 = add i64 %v116, %v154
  %v157 = getelementptr float, ptr %v156, i64 %v115
  %v158 = extractelement <16 x float> %v114, i64 8
  store float %v158, ptr %v157, align 4
  %v160 = add i64 %v116, %v159
  %v162 = getelementptr float, ptr %v161, i64 %v115
  %v163 = extractelement <16 x float> %v114, i64 9
  store float %v163, ptr %v162, align 4
  %v165 = add i64 %v116, %v164
  %v167 = getelementptr float, ptr %v166, i64 %v115
  %v168 = extractelement <16 x float> %v114, i64 10
  store float %v168, ptr %v167, align 4
  %v170 = add i64 %v116, %v169
  %v172 = getelementptr float, ptr %v171, i64 %v115
  %v173 = extractelement <16 x float> %v114, i64 11
  store float %v173, ptr %v172, align 4
  %v175 = add i64 %v116, %v174
  %v177 = getelementptr float, ptr %v176, i64 %v115
  %v178 = extractelement <16 x float> %v114, i64 12
  store float %v178, ptr %v177, align 4
  %v180 = add i64 %v116, %v179
  %v182 = getelementptr float, ptr %v181, i64 %v115
  %v183 = extractelement <16 x float> %v114, i64 13
  store float %v183, ptr %v182, align 4
  %v185 = add i64 %v116, %v184
  %v187 = getelementptr float, ptr %v186, i64 %v115
  %v188 = extractelement <16 x float> %v114, i64 14
  store float %v188, ptr %v187, align 4
  %v190 = add i64 %v116, %v189
  %v192 = getelementptr float, ptr %v191, i64 %v115
  %v193 = extractelement <16 x float> %v114, i64 15
  store float %v193, ptr %v192, align 4
  %v194 = add i64 %v19, 16
  %v195 = call i64 @llvm.fshl.i64(i64 %v194, i64 %v194, i64 0)
  %v196 = icmp slt i64 %v195, %v17
  br i1 %v196, label %loop8, label %after9
after9:
  %v197 = phi i64 [0, %lanes5], [%v195, %loop8]
  %v198 = icmp slt i64 %v197, %v5
  br i1 %v198, label %enter10, label %after12
enter10:
  br label %loop11
loop11:
  %v199 = phi i64 [%v197, %enter10], [%v208, %loop11]
  %v200 = mul i64 %v9, %v199
  %v201 = add i64 %v7, %v200
  %v202 = getelementptr float, ptr %v22, i64 %v200
  %v203 = load float, ptr %v202, align 4
  %v204 = mul i64 %v13, %v199
  %v205 = add i64 %v11, %v204
  %v206 = getelementptr float, ptr %v117, i64 %v204
  store float %v203, ptr %v206, align 4
  %v207 = add i64 %v199, 1
  %v208 = call i64 @llvm.fshl.i64(i64 %v207, i64 %v207, i64 0)
  %v209 = icmp slt i64 %v208, %v5
  br i1 %v209, label %loop11, label %after12
after12:
  %v210 = phi i64 [%v197, %after9], [%v208, %loop11]
  br label %after6
after6:
  br label %next4
next4:
  %v211 = add i64 %v15, 1
  %v212 = call i64 @llvm.fshl.i64(i64 %v211, i64 %v211, i64 0)
  %v213 = icmp slt i64 %v212, %end
  br i1 %v213, label %group2, label %finished3
finished3:
  ret void
}
