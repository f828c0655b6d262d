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
  %v22 = getelementptr float, ptr %v1, i64 %v7
  %v27 = getelementptr float, ptr %v22, i64 %v9
  %v31 = mul i64 %v9, 2
  %v33 = getelementptr float, ptr %v22, i64 %v31
  %v37 = mul i64 %v9, 3
  %v39 = getelementptr float, ptr %v22, i64 %v37
  %v45 = getelementptr float, ptr %v3, i64 %v11
  %v49 = getelementptr float, ptr %v45, i64 %v13
  %v52 = mul i64 %v13, 2
  %v54 = getelementptr float, ptr %v45, i64 %v52
  %v57 = mul i64 %v13, 3
  %v59 = getelementptr float, ptr %v45, i64 %v57
  br label %group2
group2:
  %v15 = phi i64 [%begin, %groups1], [%v80, %next4]
  br i1 %v16, label %lanes5, label %after6
lanes5:
  br i1 %v18, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v19 = phi i64 [0, %enter7], [%v63, %loop8]
  %v20 = mul i64 %v19, %v9
  %v21 = add i64 %v7, %v20
  %v23 = getelementptr float, ptr %v22, i64 %v20
  %v24 = load float, ptr %v23, align 4
  %v25 = insertelement <4 x float> poison, float %v24, i64 0
  %v26 = add i64 %v21, %v9
  %v28 = getelementptr float, ptr %v27, i64 %v20
  %v29 = load float, ptr %v28, align 4
  %v30 = insertelement <4 x float> %v25, float %v29, i64 1
  %v32 = add i64 %v21, %v31
  %v34 = getelementptr float, ptr %v33, i64 %v20
  %v35 = load float, ptr %v34, align 4
  %v36 = insertelement <4 x float> %v30, float %v35, i64 2
  %v38 = add i64 %v21, %v37
  %v40 = getelementptr float, ptr %v39, i64 %v20
  %v41 = load float, ptr %v40, align 4
  %v42 = insertelement <4 x float> %v36, float %v41, i64 3
  %v43 = mul i64 %v19, %v13
  %v44 = add i64 %v11, %v43
  %v46 = getelementptr float, ptr %v45, i64 %v43
  %v47 = extractelement <4 x float> %v42, i64 0
  store float %v47, ptr %v46, align 4
  %v48 = add i64 %v44, %v13
  %v50 = getelementptr float, ptr %v49, i64 %v43
  %v51 = extractelement <4 x float> %v42, i64 1
  store float %v51, ptr %v50, align 4
  %v53 = add i64 %v44, %v52
  %v55 = getelementptr float, ptr %v54, i64 %v43
  %v56 = extractelement <4 x float> %v42, i64 2
  store float %v56, ptr %v55, align 4
  %v58 = add i64 %v44, %v57
  %v60 = getelementptr float, ptr %v59, i64 %v43
  %v61 = extractelement <4 x float> %v42, i64 3
  store float %v61, ptr %v60, align 4
  %v62 = add i64 %v19, 4
  %v63 = call i64 @llvm.fshl.i64(i64 %v62, i64 %v62, i64 0)
  %v64 = icmp slt i64 %v63, %v17
  br i1 %v64, label %loop8, label %after9
after9:
  %v65 = phi i64 [0, %lanes5], [%v63, %loop8]
  %v66 = icmp slt i64 %v65, %v5
  br i1 %v66, label %enter10, label %after12
enter10:
  br label %loop11
loop11:
  %v67 = phi i64 [%v65, %enter10], [%v76, %loop11]
  %v68 = mul i64 %v9, %v67
  %v69 = add i64 %v7, %v68
  %v70 = getelementptr float, ptr %v22, i64 %v68
  %v71 = load float, ptr %v70, align 4
  %v72 = mul i64 %v13, %v67
  %v73 = add i64 %v11, %v72
  %v74 = getelementptr float, ptr %v45, i64 %v72
  store float %v71, ptr %v74, align 4
  %v75 = add i64 %v67, 1
  %v76 = call i64 @llvm.fshl.i64(i64 %v75, i64 %v75, i64 0)
  %v77 = icmp slt i64 %v76, %v5
  br i1 %v77, label %loop11, label %after12
after12:
  %v78 = phi i64 [%v65, %after9], [%v76, %loop11]
  br label %after6
after6:
  br label %next4
next4:
  %v79 = add i64 %v15, 1
  %v80 = call i64 @llvm.fshl.i64(i64 %v79, i64 %v79, i64 0)
  %v81 = icmp slt i64 %v80, %end
  br i1 %v81, label %group2, label %finished3
finished3:
  ret void
}
