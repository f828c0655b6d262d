target triple = "x86_64-unknown-linux-gnu"
define void @strided(ptr noalias nocapture readonly %slots, i64 %begin, i64 %end) nounwind "prefer-vector-width"="512" "min-legal-vector-width"="512" {
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
  %v22 = insertelement <16 x i64> poison, i64 %v9, i64 0
  %v23 = shufflevector <16 x i64> %v22, <16 x i64> poison, <16 x i32> zeroinitializer
  %v24 = mul <16 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, %v23
  %v32 = insertelement <16 x i64> poison, i64 %v13, i64 0
  %v33 = shufflevector <16 x i64> %v32, <16 x i64> poison, <16 x i32> zeroinitializer
  %v34 = mul <16 x i64> <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15>, %v33
  br label %group2
group2:
  %v15 = phi i64 [%begin, %groups1], [%v67, %next4]
  br i1 %v16, label %lanes5, label %after6
lanes5:
  br i1 %v18, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v19 = phi i64 [0, %enter7], [%v39, %loop8]
  %v20 = mul i64 %v19, %v9
  %v21 = add i64 %v7, %v20
  %v25 = insertelement <16 x i64> poison, i64 %v21, i64 0
  %v26 = shufflevector <16 x i64> %v25, <16 x i64> poison, <16 x i32> zeroinitializer
  %v27 = add <16 x i64> %v24, %v26
  %v28 = getelementptr float, ptr %v1, <16 x i64> %v27
  %v29 = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %v28, <16 x i1> splat (i1 true), <16 x float> poison)
  %v30 = mul i64 %v19, %v13
  %v31 = add i64 %v11, %v30
  %v35 = insertelement <16 x i64> poison, i64 %v31, i64 0
  %v36 = shufflevector <16 x i64> %v35, <16 x i64> poison, <16 x i32> zeroinitializer
  %v37 = add <16 x i64> %v34, %v36
  %v38 = getelementptr float, ptr %v3, <16 x i64> %v37
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v29, <16 x ptr> align 4 %v38, <16 x i1> splat (i1 true))
  %v39 = add i64 %v19, 16
  %v40 = icmp slt i64 %v39, %v17
  br i1 %v40, label %loop8, label %after9
after9:
  %v41 = phi i64 [0, %lanes5], [%v39, %loop8]
  %v42 = icmp slt i64 %v41, %v5
  br i1 %v42, label %enter10, label %after12
enter10:
  br label %loop11
loop11:
  %v43 = phi i64 [%v41, %enter10], [%v64, %loop11]
  %v44 = sub i64 %v5, %v43
  %v45 = call i64 @llvm.umin.i64(i64 %v44, i64 16)
  %v46 = trunc i64 %v45 to i32
  %v47 = insertelement <16 x i32> poison, i32 %v46, i64 0
  %v48 = shufflevector <16 x i32> %v47, <16 x i32> poison, <16 x i32> zeroinitializer
  %v49 = icmp ult <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v48
  %v50 = icmp sge i64 %v44, 16
  %v51 = mul i64 %v43, %v9
  %v52 = add i64 %v7, %v51
  %v53 = insertelement <16 x i64> poison, i64 %v52, i64 0
  %v54 = shufflevector <16 x i64> %v53, <16 x i64> poison, <16 x i32> zeroinitializer
  %v55 = add <16 x i64> %v24, %v54
  %v56 = getelementptr float, ptr %v1, <16 x i64> %v55
  %v57 = call <16 x float> @llvm.masked.gather.v16f32.v16p0(<16 x ptr> align 4 %v56, <16 x i1> %v49, <16 x float> zeroinitializer)
  %v58 = mul i64 %v43, %v13
  %v59 = add i64 %v11, %v58
  %v60 = insertelement <16 x i64> poison, i64 %v59, i64 0
  %v61 = shufflevector <16 x i64> %v60, <16 x i64> poison, <16 x i32> zeroinitializer
  %v62 = add <16 x i64> %v34, %v61
  %v63 = getelementptr float, ptr %v3, <16 x i64> %v62
  call void @llvm.masked.scatter.v16f32.v16p0(<16 x float> %v57, <16 x ptr> align 4 %v63, <16 x i1> %v49)
  %v64 = add i64 %v43, 16
  %v65 = icmp slt i64 %v64, %v5
  br i1 %v65, label %loop11, label %after12
after12:
  %v66 = phi i64 [%v41, %after9], [%v64, %loop11]
  br label %after6
after6:
  br label %next4
next4:
  %v67 = add i64 %v15, 1
  %v68 = icmp slt i64 %v67, %end
  br i1 %v68, label %group2, label %finished3
finished3:
  ret void
}
