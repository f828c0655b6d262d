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
  %v26 = getelementptr inbounds float, ptr %v8, i64 16
  br label %group2
group2:
  %v7 = phi i64 [%begin, %groups1], [%v61, %next4]
  br i1 %v10, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v11 = phi i64 [0, %enter5], [%v21, %loop6]
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
  %v22 = icmp slt i64 %v21, %v9
  br i1 %v22, label %loop6, label %after7
after7:
  %v23 = phi <16 x float> [splat (float 0x0000000000000000), %group2], [%v16, %loop6]
  %v24 = phi <16 x float> [splat (float 0x0000000000000000), %group2], [%v20, %loop6]
  %v25 = phi i64 [0, %group2], [%v21, %loop6]
  store <16 x float> %v23, ptr %v8, align 64
  store <16 x float> %v24, ptr %v26, align 64
  %v27 = icmp slt i64 %v25, %v5
  br i1 %v27, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v28 = phi i64 [%v25, %enter8], [%v43, %loop9]
  %v29 = and i64 %v28, 31
  %v30 = sub i64 %v5, %v28
  %v31 = call i64 @llvm.umin.i64(i64 %v30, i64 16)
  %v32 = trunc i64 %v31 to i32
  %v33 = insertelement <16 x i32> poison, i32 %v32, i64 0
  %v34 = shufflevector <16 x i32> %v33, <16 x i32> poison, <16 x i32> zeroinitializer
  %v35 = icmp slt <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v34
  %v36 = icmp sge i64 %v30, 16
  %v37 = getelementptr inbounds float, ptr %v1, i64 %v28
  %v38 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v37, i32 4, <16 x i1> %v35, <16 x float> zeroinitializer)
  %v39 = getelementptr inbounds float, ptr %v8, i64 %v29
  %v40 = load <16 x float>, ptr %v39, align 64
  %v41 = fadd <16 x float> %v40, %v38
  %v42 = select <16 x i1> %v35, <16 x float> %v41, <16 x float> %v40
  store <16 x float> %v42, ptr %v39, align 64
  %v43 = add i64 %v28, 16
  %v44 = icmp slt i64 %v43, %v5
  br i1 %v44, label %loop9, label %after10
after10:
  %v45 = phi i64 [%v25, %after7], [%v43, %loop9]
  %v46 = load <16 x float>, ptr %v8, align 64
  %v47 = load <16 x float>, ptr %v26, align 64
  %v48 = fadd <16 x float> %v46, %v47
  %v49 = shufflevector <16 x float> %v48, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v50 = shufflevector <16 x float> %v48, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v51 = fadd <8 x float> %v49, %v50
  %v52 = shufflevector <8 x float> %v51, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v53 = shufflevector <8 x float> %v51, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v54 = fadd <4 x float> %v52, %v53
  %v55 = shufflevector <4 x float> %v54, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v56 = shufflevector <4 x float> %v54, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v57 = fadd <2 x float> %v55, %v56
  %v58 = extractelement <2 x float> %v57, i64 0
  %v59 = extractelement <2 x float> %v57, i64 1
  %v60 = fadd float %v58, %v59
  store float %v60, ptr %v3, align 4
  br label %next4
next4:
  %v61 = add i64 %v7, 1
  %v62 = icmp slt i64 %v61, %end
  br i1 %v62, label %group2, label %finished3
finished3:
  ret void
}
