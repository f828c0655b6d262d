target triple = "x86_64-unknown-linux-gnu"
define void @branches(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v21 = alloca [1 x i64], align 8
  store i64 0, ptr %v21, align 8
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
  %v9 = phi i64 [%begin, %groups1], [%v122, %next4]
  br i1 %v10, label %lanes5, label %after6
lanes5:
  br i1 %v12, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v13 = phi i64 [0, %enter7], [%v97, %after17]
  %v14 = getelementptr inbounds float, ptr %v1, i64 %v13
  %v15 = load <4 x float>, ptr %v14, align 4
  %v16 = fcmp ogt <4 x float> %v15, splat (float 0x0000000000000000)
  %v17 = bitcast <4 x i1> %v16 to i4
  %v18 = icmp ne i4 %v17, 0
  br i1 %v18, label %some10, label %after11
some10:
  %v19 = getelementptr inbounds float, ptr %v3, i64 %v13
  %v20 = extractelement <4 x i1> %v16, i64 0
  %v22 = select i1 %v20, ptr %v19, ptr %v21
  %v23 = load float, ptr %v22, align 4
  %v24 = insertelement <4 x float> zeroinitializer, float %v23, i64 0
  %v25 = add i64 %v13, 1
  %v26 = getelementptr inbounds float, ptr %v3, i64 %v25
  %v27 = extractelement <4 x i1> %v16, i64 1
  %v28 = select i1 %v27, ptr %v26, ptr %v21
  %v29 = load float, ptr %v28, align 4
  %v30 = insertelement <4 x float> %v24, float %v29, i64 1
  %v31 = add i64 %v13, 2
  %v32 = getelementptr inbounds float, ptr %v3, i64 %v31
  %v33 = extractelement <4 x i1> %v16, i64 2
  %v34 = select i1 %v33, ptr %v32, ptr %v21
  %v35 = load float, ptr %v34, align 4
  %v36 = insertelement <4 x float> %v30, float %v35, i64 2
  %v37 = add i64 %v13, 3
  %v38 = getelementptr inbounds float, ptr %v3, i64 %v37
  %v39 = extractelement <4 x i1> %v16, i64 3
  %v40 = select i1 %v39, ptr %v38, ptr %v21
  %v41 = load float, ptr %v40, align 4
  %v42 = insertelement <4 x float> %v36, float %v41, i64 3
  %v43 = select <4 x i1> %v16, <4 x float> %v42, <4 x float> zeroinitializer
  %v44 = fcmp ogt <4 x float> %v43, splat (float 0x3FE0000000000000)
  %v45 = and <4 x i1> %v16, %v44
  %v46 = bitcast <4 x i1> %v45 to i4
  %v47 = icmp ne i4 %v46, 0
  br i1 %v47, label %some12, label %after13
some12:
  %v48 = extractelement <4 x i1> %v45, i64 0
  %v49 = select i1 %v48, ptr %v19, ptr %v21
  %v50 = load float, ptr %v49, align 4
  %v51 = insertelement <4 x float> zeroinitializer, float %v50, i64 0
  %v52 = extractelement <4 x i1> %v45, i64 1
  %v53 = select i1 %v52, ptr %v26, ptr %v21
  %v54 = load float, ptr %v53, align 4
  %v55 = insertelement <4 x float> %v51, float %v54, i64 1
  %v56 = extractelement <4 x i1> %v45, i64 2
  %v57 = select i1 %v56, ptr %v32, ptr %v21
  %v58 = load float, ptr %v57, align 4
  %v59 = insertelement <4 x float> %v55, float %v58, i64 2
  %v60 = extractelement <4 x i1> %v45, i64 3
  %v61 = select i1 %v60, ptr %v38, ptr %v21
  %v62 = load float, ptr %v61, align 4
  %v63 = insertelement <4 x float> %v59, float %v62, i64 3
  %v64 = select <4 x i1> %v45, <4 x float> %v63, <4 x float> zeroinitializer
  %v65 = fmul <4 x float> %v43, %v64
  %v66 = call <4 x float> @llvm.sqrt.v4f32(<4 x float> %v65)
  br label %after13
after13:
  %v67 = phi <4 x float> [%v66, %some12], [zeroinitializer, %some10]
  %v68 = xor <4 x i1> %v44, splat (i1 true)
  %v69 = and <4 x i1> %v16, %v68
  %v70 = bitcast <4 x i1> %v69 to i4
  %v71 = icmp ne i4 %v70, 0
  br i1 %v71, label %some14, label %after15
some14:
  %v72 = fneg <4 x float> %v43
  %v73 = select <4 x i1> %v68, <4 x float> %v72, <4 x float> %v67
  br label %after15
after15:
  %v74 = phi <4 x float> [%v73, %some14], [%v67, %after13]
  %v75 = getelementptr inbounds float, ptr %v5, i64 %v13
  %v76 = select i1 %v20, ptr %v75, ptr %v21
  %v77 = extractelement <4 x float> %v74, i64 0
  store float %v77, ptr %v76, align 4
  %v78 = getelementptr inbounds float, ptr %v5, i64 %v25
  %v79 = select i1 %v27, ptr %v78, ptr %v21
  %v80 = extractelement <4 x float> %v74, i64 1
  store float %v80, ptr %v79, align 4
  %v81 = getelementptr inbounds float, ptr %v5, i64 %v31
  %v82 = select i1 %v33, ptr %v81, ptr %v21
  %v83 = extractelement <4 x float> %v74, i64 2
  store float %v83, ptr %v82, align 4
  %v84 = getelementptr inbounds float, ptr %v5, i64 %v37
  %v85 = select i1 %v39, ptr %v84, ptr %v21
  %v86 = extractelement <4 x float> %v74, i64 3
  store float %v86, ptr %v85, align 4
  %v87 = fadd <4 x float> %v74, %v15
  br label %after11
after11:
  %v88 = phi <4 x float> [%v87, %after15], [zeroinitializer, %loop8]
  %v89 = xor <4 x i1> %v16, splat (i1 true)
  %v90 = bitcast <4 x i1> %v89 to i4
  %v91 = icmp ne i4 %v90, 0
  br i1 %v91, label %some16, label %after17
some16:
  %v92 = fmul <4 x float> %v15, %v15
  %v93 = select <4 x i1> %v89, <4 x float> %v92, <4 x float> %v88
  br label %after17
after17:
  %v94 = phi <4 x float> [%v93, %some16], [%v88, %after11]
  %v95 = getelementptr inbounds float, ptr %v5, i64 %v13
  store <4 x float> %v94, ptr %v95, align 4
  %v96 = add i64 %v13, 4
  %v97 = call i64 @llvm.fshl.i64(i64 %v96, i64 %v96, i64 0)
  %v98 = icmp slt i64 %v97, %v11
  br i1 %v98, label %loop8, label %after9
after9:
  %v99 = phi i64 [0, %lanes5], [%v97, %after17]
  %v100 = icmp slt i64 %v99, %v7
  br i1 %v100, label %enter18, label %after20
enter18:
  br label %loop19
loop19:
  %v101 = phi i64 [%v99, %enter18], [%v118, %after23]
  %v102 = getelementptr inbounds float, ptr %v1, i64 %v101
  %v103 = load float, ptr %v102, align 4
  %v104 = fcmp ogt float %v103, 0x0000000000000000
  br i1 %v104, label %then21, label %else22
then21:
  %v105 = getelementptr inbounds float, ptr %v3, i64 %v101
  %v106 = load float, ptr %v105, align 4
  %v107 = fcmp ogt float %v106, 0x3FE0000000000000
  br i1 %v107, label %then24, label %else25
then24:
  %v108 = fmul float %v106, %v106
  %v109 = call float @llvm.sqrt.f32(float %v108)
  br label %after26
else25:
  %v110 = fneg float %v106
  br label %after26
after26:
  %v111 = phi float [%v109, %then24], [%v110, %else25]
  %v112 = getelementptr inbounds float, ptr %v5, i64 %v101
  store float %v111, ptr %v112, align 4
  %v113 = fadd float %v111, %v103
  br label %after23
else22:
  %v114 = fmul float %v103, %v103
  br label %after23
after23:
  %v115 = phi float [%v113, %after26], [%v114, %else22]
  %v116 = getelementptr inbounds float, ptr %v5, i64 %v101
  store float %v115, ptr %v116, align 4
  %v117 = add i64 %v101, 1
  %v118 = call i64 @llvm.fshl.i64(i64 %v117, i64 %v117, i64 0)
  %v119 = icmp slt i64 %v118, %v7
  br i1 %v119, label %loop19, label %after20
after20:
  %v120 = phi i64 [%v99, %after9], [%v118, %after23]
  br label %after6
after6:
  br label %next4
next4:
  %v121 = add i64 %v9, 1
  %v122 = call i64 @llvm.fshl.i64(i64 %v121, i64 %v121, i64 0)
  %v123 = icmp slt i64 %v122, %end
  br i1 %v123, label %group2, label %finished3
finished3:
  ret void
}
