target triple = "x86_64-unknown-linux-gnu"
define void @total(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind "prefer-vector-width"="512" "min-legal-vector-width"="512" {
entry:
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load i64, ptr %v4, align 8
  %v6 = icmp slt i64 %begin, %end
  br i1 %v6, label %groups1, label %finished3
groups1:
  %v8 = sub i64 %v5, 31
  %v9 = icmp slt i64 0, %v8
  br label %group2
group2:
  %v7 = phi i64 [%begin, %groups1], [%v47, %next4]
  br i1 %v9, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v10 = phi i64 [0, %enter5], [%v16, %loop6]
  %v11 = phi <32 x float> [splat (float 0x0000000000000000), %enter5], [%v14, %loop6]
  %v12 = getelementptr inbounds float, ptr %v1, i64 %v10
  %v13 = load <32 x float>, ptr %v12, align 4
  %v14 = fadd <32 x float> %v11, %v13
  %v15 = add i64 %v10, 32
  %v16 = call i64 @llvm.fshl.i64(i64 %v15, i64 %v15, i64 0)
  %v17 = icmp slt i64 %v16, %v8
  br i1 %v17, label %loop6, label %after7
after7:
  %v18 = phi <32 x float> [splat (float 0x0000000000000000), %group2], [%v14, %loop6]
  %v19 = phi i64 [0, %group2], [%v16, %loop6]
  %v20 = icmp slt i64 %v19, %v5
  br i1 %v20, label %part8, label %after9
part8:
  %v21 = sub i64 %v5, %v19
  %v22 = sub i64 64, %v21
  %v23 = lshr i64 -1, %v22
  %v24 = trunc i64 %v23 to i32
  %v25 = bitcast i32 %v24 to <32 x i1>
  %v26 = getelementptr inbounds float, ptr %v1, i64 %v19
  %v27 = call <32 x float> @llvm.masked.load.v32f32.p0(ptr %v26, i32 4, <32 x i1> %v25, <32 x float> zeroinitializer)
  %v28 = fadd <32 x float> %v18, %v27
  %v29 = select <32 x i1> %v25, <32 x float> %v28, <32 x float> %v18
  br label %after9
after9:
  %v30 = phi <32 x float> [%v29, %part8], [%v18, %after7]
  %v31 = shufflevector <32 x float> %v30, <32 x float> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v32 = shufflevector <32 x float> %v30, <32 x float> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %v33 = fadd <16 x float> %v31, %v32
  %v34 = shufflevector <16 x float> %v33, <16 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v35 = shufflevector <16 x float> %v33, <16 x float> poison, <8 x i32> <i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  %v36 = fadd <8 x float> %v34, %v35
  %v37 = shufflevector <8 x float> %v36, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v38 = shufflevector <8 x float> %v36, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v39 = fadd <4 x float> %v37, %v38
  %v40 = shufflevector <4 x float> %v39, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v41 = shufflevector <4 x float> %v39, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v42 = fadd <2 x float> %v40, %v41
  %v43 = extractelement <2 x float> %v42, i64 0
  %v44 = extractelement <2 x float> %v42, i64 1
  %v45 = fadd float %v43, %v44
  store float %v45, ptr %v3, align 4
  br label %next4
next4:
  %v46 = add i64 %v7, 1
  %v47 = call i64 @llvm.fshl.i64(i64 %v46, i64 %v46, i64 0)
  %v48 = icmp slt i64 %v47, %end
  br i1 %v48, label %group2, label %finished3
finished3:
  ret void
}
