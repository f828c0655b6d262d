target triple = "x86_64-unknown-linux-gnu"
define void @strided(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
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
  %v17 = sub i64 %v5, 3
  %v18 = icmp slt i64 0, %v17
  %v29 = mul i64 %v9, 2
  %v34 = mul i64 %v9, 3
  %v46 = mul i64 %v13, 2
  %v50 = mul i64 %v13, 3
  br label %group2
group2:
  %v15 = phi i64 [%begin, %groups1], [%v72, %next4]
  br i1 %v16, label %lanes5, label %after6
lanes5:
  br i1 %v18, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v19 = phi i64 [0, %enter7], [%v55, %loop8]
  %v20 = mul i64 %v19, %v9
  %v21 = add i64 %v7, %v20
  %v22 = getelementptr inbounds float, ptr %v1, i64 %v21
  %v23 = load float, ptr %v22, align 4
  %v24 = insertelement <4 x float> poison, float %v23, i64 0
  %v25 = add i64 %v21, %v9
  %v26 = getelementptr inbounds float, ptr %v1, i64 %v25
  %v27 = load float, ptr %v26, align 4
  %v28 = insertelement <4 x float> %v24, float %v27, i64 1
  %v30 = add i64 %v21, %v29
  %v31 = getelementptr inbounds float, ptr %v1, i64 %v30
  %v32 = load float, ptr %v31, align 4
  %v33 = insertelement <4 x float> %v28, float %v32, i64 2
  %v35 = add i64 %v21, %v34
  %v36 = getelementptr inbounds float, ptr %v1, i64 %v35
  %v37 = load float, ptr %v36, align 4
  %v38 = insertelement <4 x float> %v33, float %v37, i64 3
  %v39 = mul i64 %v19, %v13
  %v40 = add i64 %v11, %v39
  %v41 = getelementptr inbounds float, ptr %v3, i64 %v40
  %v42 = extractelement <4 x float> %v38, i64 0
  store float %v42, ptr %v41, align 4
  %v43 = add i64 %v40, %v13
  %v44 = getelementptr inbounds float, ptr %v3, i64 %v43
  %v45 = extractelement <4 x float> %v38, i64 1
  store float %v45, ptr %v44, align 4
  %v47 = add i64 %v40, %v46
  %v48 = getelementptr inbounds float, ptr %v3, i64 %v47
  %v49 = extractelement <4 x float> %v38, i64 2
  store float %v49, ptr %v48, align 4
  %v51 = add i64 %v40, %v50
  %v52 = getelementptr inbounds float, ptr %v3, i64 %v51
  %v53 = extractelement <4 x float> %v38, i64 3
  store float %v53, ptr %v52, align 4
  %v54 = add i64 %v19, 4
  %v55 = call i64 @llvm.fshl.i64(i64 %v54, i64 %v54, i64 0)
  %v56 = icmp slt i64 %v55, %v17
  br i1 %v56, label %loop8, label %after9
after9:
  %v57 = phi i64 [0, %lanes5], [%v55, %loop8]
  %v58 = icmp slt i64 %v57, %v5
  br i1 %v58, label %enter10, label %after12
enter10:
  br label %loop11
loop11:
  %v59 = phi i64 [%v57, %enter10], [%v68, %loop11]
  %v60 = mul i64 %v9, %v59
  %v61 = add i64 %v7, %v60
  %v62 = getelementptr inbounds float, ptr %v1, i64 %v61
  %v63 = load float, ptr %v62, align 4
  %v64 = mul i64 %v13, %v59
  %v65 = add i64 %v11, %v64
  %v66 = getelementptr inbounds float, ptr %v3, i64 %v65
  store float %v63, ptr %v66, align 4
  %v67 = add i64 %v59, 1
  %v68 = call i64 @llvm.fshl.i64(i64 %v67, i64 %v67, i64 0)
  %v69 = icmp slt i64 %v68, %v5
  br i1 %v69, label %loop11, label %after12
after12:
  %v70 = phi i64 [%v57, %after9], [%v68, %loop11]
  br label %after6
after6:
  br label %next4
next4:
  %v71 = add i64 %v15, 1
  %v72 = call i64 @llvm.fshl.i64(i64 %v71, i64 %v71, i64 0)
  %v73 = icmp slt i64 %v72, %end
  br i1 %v73, label %group2, label %finished3
finished3:
  ret void
}
