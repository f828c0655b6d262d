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
  %v32 = insertelement <16 x float> poison, float %v9, i64 0
  %v33 = shufflevector <16 x float> %v32, <16 x float> poison, <16 x i32> zeroinitializer
  %v40 = sub i64 %v7, 15
  br label %group2
group2:
  %v14 = phi i64 [%begin, %groups1], [%v59, %next4]
  br i1 %v15, label %lanes5, label %after6
lanes5:
  br label %rounds7
rounds7:
  %v22 = phi i64 [0, %lanes5], [%v57, %after13]
  %v23 = phi i64 [%v21, %lanes5], [%v7, %after13]
  %v24 = icmp slt i64 %v22, %v23
  br i1 %v24, label %part8, label %after9
part8:
  %v25 = sub i64 %v23, %v22
  %v26 = sub i64 64, %v25
  %v27 = lshr i64 -1, %v26
  %v28 = trunc i64 %v27 to i16
  %v29 = bitcast i16 %v28 to <16 x i1>
  %v30 = getelementptr inbounds float, ptr %v1, i64 %v22
  %v35 = getelementptr inbounds float, ptr %v3, i64 %v22
  %v38 = getelementptr inbounds float, ptr %v5, i64 %v22
  %v31 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v30, i32 4, <16 x i1> %v29, <16 x float> zeroinitializer)
  %v34 = fmul <16 x float> %v31, %v33
  %v36 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v35, i32 4, <16 x i1> %v29, <16 x float> zeroinitializer)
  %v37 = fadd <16 x float> %v34, %v36
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v37, ptr %v38, i32 4, <16 x i1> %v29)
  br label %after9
after9:
  %v39 = icmp sge i64 %v23, %v7
  br i1 %v39, label %after6, label %whole10
whole10:
  %v41 = icmp slt i64 %v23, %v40
  br i1 %v41, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v42 = phi i64 [%v23, %enter11], [%v55, %stored16]
  %v43 = getelementptr inbounds float, ptr %v1, i64 %v42
  %v44 = load <16 x float>, ptr %v43, align 4
  %v45 = fmul <16 x float> %v44, %v33
  %v46 = getelementptr inbounds float, ptr %v3, i64 %v42
  %v47 = load <16 x float>, ptr %v46, align 4
  %v48 = fadd <16 x float> %v45, %v47
  %v49 = getelementptr inbounds float, ptr %v5, i64 %v42
  %v50 = ptrtoint ptr %v49 to i64
  %v51 = and i64 %v50, 63
  %v52 = icmp eq i64 %v51, 0
  %v53 = and i1 %v52, %v12
  br i1 %v53, label %this14, label %that15
this14:
  store <16 x float> %v48, ptr %v49, align 64, !nontemporal !0
  br label %stored16
that15:
  store <16 x float> %v48, ptr %v49, align 4
  br label %stored16
stored16:
  %v54 = add i64 %v42, 16
  %v55 = call i64 @llvm.fshl.i64(i64 %v54, i64 %v54, i64 0)
  %v56 = icmp slt i64 %v55, %v40
  br i1 %v56, label %loop12, label %after13
after13:
  %v57 = phi i64 [%v23, %whole10], [%v55, %stored16]
  br label %rounds7
after6:
  br label %next4
next4:
  %v58 = add i64 %v14, 1
  %v59 = call i64 @llvm.fshl.i64(i64 %v58, i64 %v58, i64 0)
  %v60 = icmp slt i64 %v59, %end
  br i1 %v60, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
