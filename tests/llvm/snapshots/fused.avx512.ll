target triple = "x86_64-unknown-linux-gnu"
define void @fused(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind "prefer-vector-width"="512" "min-legal-vector-width"="512" {
entry:
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load ptr, ptr %v4, align 8
  %v6 = getelementptr inbounds i64, ptr %slots, i64 3
  %v7 = load i64, ptr %v6, align 8
  %v8 = getelementptr inbounds i64, ptr %slots, i64 4
  %v9 = load float, ptr %v8, align 8
  %v10 = getelementptr inbounds i64, ptr %slots, i64 5
  %v11 = load i8, ptr %v10, align 8
  %v12 = icmp ne i8 %v11, 0
  %v13 = icmp slt i64 %begin, %end
  br i1 %v13, label %groups1, label %finished3
groups1:
  %v15 = icmp sgt i64 %v7, 0
  %v16 = ptrtoint ptr %v5 to i64
  %v17 = sub i64 0, %v16
  %v18 = and i64 %v17, 63
  %v19 = lshr i64 %v18, 2
  %v20 = call i64 @llvm.smin.i64(i64 %v19, i64 %v7)
  %v21 = select i1 %v12, i64 %v20, i64 0
  %v34 = insertelement <16 x float> poison, float %v9, i64 0
  %v35 = shufflevector <16 x float> %v34, <16 x float> poison, <16 x i32> zeroinitializer
  %v42 = sub i64 %v7, 15
  br label %group2
group2:
  %v14 = phi i64 [%begin, %groups1], [%v61, %next4]
  br i1 %v15, label %lanes5, label %after6
lanes5:
  br label %rounds7
rounds7:
  %v22 = phi i64 [0, %lanes5], [%v59, %after13]
  %v23 = phi i64 [%v21, %lanes5], [%v7, %after13]
  %v24 = icmp slt i64 %v22, %v23
  br i1 %v24, label %part8, label %after9
part8:
  %v25 = sub i64 %v23, %v22
  %v26 = call i64 @llvm.umin.i64(i64 %v25, i64 16)
  %v27 = trunc i64 %v26 to i32
  %v28 = insertelement <16 x i32> poison, i32 %v27, i64 0
  %v29 = shufflevector <16 x i32> %v28, <16 x i32> poison, <16 x i32> zeroinitializer
  %v30 = icmp slt <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v29
  %v31 = icmp sge i64 %v25, 16
  %v32 = getelementptr inbounds float, ptr %v1, i64 %v22
  %v37 = getelementptr inbounds float, ptr %v3, i64 %v22
  %v40 = getelementptr inbounds float, ptr %v5, i64 %v22
  %v33 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v32, i32 4, <16 x i1> %v30, <16 x float> zeroinitializer)
  %v36 = fmul <16 x float> %v33, %v35
  %v38 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v37, i32 4, <16 x i1> %v30, <16 x float> zeroinitializer)
  %v39 = fadd <16 x float> %v36, %v38
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v39, ptr %v40, i32 4, <16 x i1> %v30)
  br label %after9
after9:
  %v41 = icmp sge i64 %v23, %v7
  br i1 %v41, label %after6, label %whole10
whole10:
  %v43 = icmp slt i64 %v23, %v42
  br i1 %v43, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v44 = phi i64 [%v23, %enter11], [%v57, %stored16]
  %v45 = getelementptr inbounds float, ptr %v1, i64 %v44
  %v46 = load <16 x float>, ptr %v45, align 4
  %v47 = fmul <16 x float> %v46, %v35
  %v48 = getelementptr inbounds float, ptr %v3, i64 %v44
  %v49 = load <16 x float>, ptr %v48, align 4
  %v50 = fadd <16 x float> %v47, %v49
  %v51 = getelementptr inbounds float, ptr %v5, i64 %v44
  %v52 = ptrtoint ptr %v51 to i64
  %v53 = and i64 %v52, 63
  %v54 = icmp eq i64 %v53, 0
  %v55 = and i1 %v54, %v12
  br i1 %v55, label %this14, label %that15
this14:
  store <16 x float> %v50, ptr %v51, align 64, !nontemporal !0
  br label %stored16
that15:
  store <16 x float> %v50, ptr %v51, align 4
  br label %stored16
stored16:
  %v56 = add i64 %v44, 16
  %v57 = call i64 @llvm.fshl.i64(i64 %v56, i64 %v56, i64 0)
  %v58 = icmp slt i64 %v57, %v42
  br i1 %v58, label %loop12, label %after13
after13:
  %v59 = phi i64 [%v23, %whole10], [%v57, %stored16]
  br label %rounds7
after6:
  br label %next4
next4:
  %v60 = add i64 %v14, 1
  %v61 = call i64 @llvm.fshl.i64(i64 %v60, i64 %v60, i64 0)
  %v62 = icmp slt i64 %v61, %end
  br i1 %v62, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
