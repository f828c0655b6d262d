target triple = "x86_64-unknown-linux-gnu"
define void @branches(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v22 = alloca [1 x i64], align 8
  store i64 0, ptr %v22, align 8
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load ptr, ptr %v4, align 8
  %v6 = getelementptr inbounds i64, ptr %slots, i64 3
  %v7 = load i64, ptr %v6, align 8
  %v8 = icmp slt i64 %begin, %end
  br i1 %v8, label %groups1, label %finished3
groups1:
  %v10 = icmp sgt i64 %v7, 0
  %v11 = sub i64 %v7, 3
  %v12 = icmp slt i64 0, %v11
  br label %group2
group2:
  %v9 = phi i64 [%begin, %groups1], [%v120, %next4]
  br i1 %v10, label %lanes5, label %after6
lanes5:
  br i1 %v12, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v13 = phi i64 [0, %enter7], [%v96, %after17]
  %v14 = getelementptr inbounds float, ptr %v1, i64 %v13
  %v15 = load <4 x float>, ptr %v14, align 4
  %v16 = fcmp ogt <4 x float> %v15, splat (float 0x0000000000000000)
  %v17 = xor <4 x i1> %v16, splat (i1 true)
  %v18 = bitcast <4 x i1> %v16 to i4
  %v19 = icmp ne i4 %v18, 0
  br i1 %v19, label %some10, label %after11
some10:
  %v20 = getelementptr inbounds float, ptr %v3, i64 %v13
  %v21 = extractelement <4 x i1> %v16, i64 0
  %v23 = select i1 %v21, ptr %v20, ptr %v22
  %v24 = load float, ptr %v23, align 4
  %v25 = insertelement <4 x float> zeroinitializer, float %v24, i64 0
  %v26 = add i64 %v13, 1
  %v27 = getelementptr inbounds float, ptr %v3, i64 %v26
  %v28 = extractelement <4 x i1> %v16, i64 1
  %v29 = select i1 %v28, ptr %v27, ptr %v22
  %v30 = load float, ptr %v29, align 4
  %v31 = insertelement <4 x float> %v25, float %v30, i64 1
  %v32 = add i64 %v13, 2
  %v33 = getelementptr inbounds float, ptr %v3, i64 %v32
  %v34 = extractelement <4 x i1> %v16, i64 2
  %v35 = select i1 %v34, ptr %v33, ptr %v22
  %v36 = load float, ptr %v35, align 4
  %v37 = insertelement <4 x float> %v31, float %v36, i64 2
  %v38 = add i64 %v13, 3
  %v39 = getelementptr inbounds float, ptr %v3, i64 %v38
  %v40 = extractelement <4 x i1> %v16, i64 3
  %v41 = select i1 %v40, ptr %v39, ptr %v22
  %v42 = load float, ptr %v41, align 4
  %v43 = insertelement <4 x float> %v37, float %v42, i64 3
  %v44 = select <4 x i1> %v16, <4 x float> %v43, <4 x float> zeroinitializer
  %v45 = fcmp ogt <4 x float> %v44, splat (float 0x3FE0000000000000)
  %v46 = xor <4 x i1> %v45, splat (i1 true)
  %v47 = and <4 x i1> %v16, %v45
  %v48 = bitcast <4 x i1> %v47 to i4
  %v49 = icmp ne i4 %v48, 0
  br i1 %v49, label %some12, label %after13
some12:
  %v50 = extractelement <4 x i1> %v47, i64 0
  %v51 = select i1 %v50, ptr %v20, ptr %v22
  %v52 = load float, ptr %v51, align 4
  %v53 = insertelement <4 x float> zeroinitializer, float %v52, i64 0
  %v54 = extractelement <4 x i1> %v47, i64 1
  %v55 = select i1 %v54, ptr %v27, ptr %v22
  %v56 = load float, ptr %v55, align 4
  %v57 = insertelement <4 x float> %v53, float %v56, i64 1
  %v58 = extractelement <4 x i1> %v47, i64 2
  %v59 = select i1 %v58, ptr %v33, ptr %v22
  %v60 = load float, ptr %v59, align 4
  %v61 = insertelement <4 x float> %v57, float %v60, i64 2
  %v62 = extractelement <4 x i1> %v47, i64 3
  %v63 = select i1 %v62, ptr %v39, ptr %v22
  %v64 = load float, ptr %v63, align 4
  %v65 = insertelement <4 x float> %v61, float %v64, i64 3
  %v66 = select <4 x i1> %v47, <4 x float> %v65, <4 x float> zeroinitializer
  %v67 = fmul <4 x float> %v44, %v66
  %v68 = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %v67)
  br label %after13
after13:
  %v69 = phi <4 x float> [%v68, %some12], [zeroinitializer, %some10]
  %v70 = and <4 x i1> %v16, %v46
  %v71 = bitcast <4 x i1> %v70 to i4
  %v72 = icmp ne i4 %v71, 0
  br i1 %v72, label %some14, label %after15
some14:
  %v73 = fneg <4 x float> %v44
  br label %after15
after15:
  %v74 = phi <4 x float> [%v73, %some14], [zeroinitializer, %after13]
  %v75 = select <4 x i1> %v45, <4 x float> %v69, <4 x float> %v74
  %v76 = getelementptr inbounds float, ptr %v5, i64 %v13
  %v77 = select i1 %v21, ptr %v76, ptr %v22
  %v78 = extractelement <4 x float> %v75, i64 0
  store float %v78, ptr %v77, align 4
  %v79 = getelementptr inbounds float, ptr %v5, i64 %v26
  %v80 = select i1 %v28, ptr %v79, ptr %v22
  %v81 = extractelement <4 x float> %v75, i64 1
  store float %v81, ptr %v80, align 4
  %v82 = getelementptr inbounds float, ptr %v5, i64 %v32
  %v83 = select i1 %v34, ptr %v82, ptr %v22
  %v84 = extractelement <4 x float> %v75, i64 2
  store float %v84, ptr %v83, align 4
  %v85 = getelementptr inbounds float, ptr %v5, i64 %v38
  %v86 = select i1 %v40, ptr %v85, ptr %v22
  %v87 = extractelement <4 x float> %v75, i64 3
  store float %v87, ptr %v86, align 4
  %v88 = fadd <4 x float> %v75, %v15
  br label %after11
after11:
  %v89 = phi <4 x float> [%v88, %after15], [zeroinitializer, %loop8]
  %v90 = bitcast <4 x i1> %v17 to i4
  %v91 = icmp ne i4 %v90, 0
  br i1 %v91, label %some16, label %after17
some16:
  %v92 = fmul <4 x float> %v15, %v15
  br label %after17
after17:
  %v93 = phi <4 x float> [%v92, %some16], [zeroinitializer, %after11]
  %v94 = select <4 x i1> %v16, <4 x float> %v89, <4 x float> %v93
  %v95 = getelementptr inbounds float, ptr %v5, i64 %v13
  store <4 x float> %v94, ptr %v95, align 4
  %v96 = add i64 %v13, 4
  %v97 = icmp slt i64 %v96, %v11
  br i1 %v97, label %loop8, label %after9
after9:
  %v98 = phi i64 [0, %lanes5], [%v96, %after17]
  %v99 = icmp slt i64 %v98, %v7
  br i1 %v99, label %enter18, label %after20
enter18:
  br label %loop19
loop19:
  %v100 = phi i64 [%v98, %enter18], [%v117, %after23]
  %v101 = getelementptr inbounds float, ptr %v1, i64 %v100
  %v102 = load float, ptr %v101, align 4
  %v103 = fcmp ogt float %v102, 0x0000000000000000
  br i1 %v103, label %then21, label %else22
then21:
  %v104 = getelementptr inbounds float, ptr %v3, i64 %v100
  %v105 = load float, ptr %v104, align 4
  %v106 = fcmp ogt float %v105, 0x3FE0000000000000
  br i1 %v106, label %then24, label %else25
then24:
  %v107 = load float, ptr %v104, align 4
  %v108 = fmul float %v105, %v107
  %v109 = call float @llvm.sqrt.f32(float %v108)
  br label %after26
else25:
  %v110 = fneg float %v105
  br label %after26
after26:
  %v111 = phi float [%v109, %then24], [%v110, %else25]
  %v112 = getelementptr inbounds float, ptr %v5, i64 %v100
  store float %v111, ptr %v112, align 4
  %v113 = fadd float %v111, %v102
  br label %after23
else22:
  %v114 = fmul float %v102, %v102
  br label %after23
after23:
  %v115 = phi float [%v113, %after26], [%v114, %else22]
  %v116 = getelementptr inbounds float, ptr %v5, i64 %v100
  store float %v115, ptr %v116, align 4
  %v117 = add i64 %v100, 1
  %v118 = icmp slt i64 %v117, %v7
  br i1 %v118, label %loop19, label %after20
after20:
  %v119 = phi i64 [%v98, %after9], [%v117, %after23]
  br label %after6
after6:
  br label %next4
next4:
  %v120 = add i64 %v9, 1
  %v121 = icmp slt i64 %v120, %end
  br i1 %v121, label %group2, label %finished3
finished3:
  ret void
}
