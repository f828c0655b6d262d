target triple = "x86_64-unknown-linux-gnu"
define void @total(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind "prefer-vector-width"="512" "min-legal-vector-width"="512" {
entry:
  %v8 = alloca [32 x float], align 64
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load i64, ptr %v4, align 8
  %v6 = icmp slt i64 %begin, %end
  br i1 %v6, label %groups1, label %finished3
groups1:
  %v9 = sub i64 %v5, 31
  %v10 = icmp slt i64 0, %v9
  %v27 = getelementptr inbounds float, ptr %v8, i64 16
  br label %group2
group2:
  %v7 = phi i64 [%begin, %groups1], [%v64, %next4]
  br i1 %v10, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v11 = phi i64 [0, %enter5], [%v22, %loop6]
  %v12 = phi <16 x float> [splat (float 0x0000000000000000), %enter5], [%v16, %loop6]
  %v13 = phi <16 x float> [splat (float 0x0000000000000000), %enter5], [%v20, %loop6]
  %v14 = getelementptr inbounds float, ptr %v1, i64 %v11
  %v15 = load <16 x float>, ptr %v14, align 4
  %v16 = fadd <16 x float> %v12, %v15
  %v17 = add i64 %v11, 16
  %v18 = getelementptr inbounds float, ptr %v1, i64 %v17
  %v19 = load <16 x float>, ptr %v18, align 4
  %v20 = fadd <16 x float> %v13, %v19
  %v21 = add i64 %v11, 32
  %v22 = call i64 @llvm.fshl.i64(i64 %v21, i64 %v21, i64 0)
  %v23 = icmp slt i64 %v22, %v9
  br i1 %v23, label %loop6, label %after7
after7:
  %v24 = phi <16 x float> [splat (float 0x0000000000000000), %group2], [%v16, %loop6]
  %v25 = phi <16 x float> [splat (float 0x0000000000000000), %group2], [%v20, %loop6]
  %v26 = phi i64 [0, %group2], [%v22, %loop6]
  store <16 x float> %v24, ptr %v8, align 64
  store <16 x float> %v25, ptr %v27, align 64
  %v28 = icmp slt i64 %v26, %v5
  br i1 %v28, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v29 = phi i64 [%v26, %enter8], [%v45, %loop9]
  %v30 = and i64 %v29, 31
  %v31 = sub i64 %v5, %v29
  %v32 = call i64 @llvm.umin.i64(i64 %v31, i64 16)
  %v33 = trunc i64 %v32 to i32
  %v34 = insertelement <16 x i32> poison, i32 %v33, i64 0
  %v35 = shufflevector <16 x i32> %v34, <16 x i32> poison, <16 x i32> zeroinitializer
  %v36 = icmp slt <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v35
  %v37 = icmp sge i64 %v31, 16
  %v38 = getelementptr inbounds float, ptr %v1, i64 %v29
  %v39 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v38, i32 4, <16 x i1> %v36, <16 x float> zeroinitializer)
  %v40 = getelementptr inbounds float, ptr %v8, i64 %v30
  %v41 = load <16 x float>, ptr %v40, align 64
  %v42 = fadd <16 x float> %v41, %v39
  %v43 = select <16 x i1> %v36, <16 x float> %v42, <16 x float> %v41
  store <16 x float> %v43, ptr %v40, align 64
  %v44 = add i64 %v29, 16
  %v45 = call i64 @llvm.fshl.i64(i64 %v44, i64 %v44, i64 0)
  %v46 = icmp slt i64 %v45, %v5
  br i1 %v46, label %loop9, label %after10
after10:
  %v47 = phi i64 [%v26, %after7], [%v45, %loop9]
  %v48 = load <16 x float>, ptr %v8, align 64
  %v49 = load <16 x float>, ptr %v27, align 64
  %v50 = fadd <16 x float> %v48, %v49
  %v51 = shufflevector <16 x float> %v50, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v52 = shufflevector <16 x float> %v50, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v53 = fadd <8 x float> %v51, %v52
  %v54 = shufflevector <8 x float> %v53, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v55 = shufflevector <8 x float> %v53, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v56 = fadd <4 x float> %v54, %v55
  %v57 = shufflevector <4 x float> %v56, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v58 = shufflevector <4 x float> %v56, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v59 = fadd <2 x float> %v57, %v58
  %v60 = extractelement <2 x float> %v59, i64 0
  %v61 = extractelement <2 x float> %v59, i64 1
  %v62 = fadd float %v60, %v61
  store float %v62, ptr %v3, align 4
  br label %next4
next4:
  %v63 = add i64 %v7, 1
  %v64 = call i64 @llvm.fshl.i64(i64 %v63, i64 %v63, i64 0)
  %v65 = icmp slt i64 %v64, %end
  br i1 %v65, label %group2, label %finished3
finished3:
  ret void
}
