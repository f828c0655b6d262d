target triple = "x86_64-unknown-linux-gnu"
define void @add(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load ptr, ptr %v4, align 8
  %v6 = getelementptr inbounds i64, ptr %slots, i64 3
  %v7 = load i64, ptr %v6, align 8
  %v8 = getelementptr inbounds i64, ptr %slots, i64 4
  %v9 = load i64, ptr %v8, align 8
  %v10 = icmp slt i64 %begin, %end
  br i1 %v10, label %groups1, label %finished3
groups1:
  %v12 = icmp ne i64 %v7, 0
  br label %group2
group2:
  %v11 = phi i64 [%begin, %groups1], [%v63, %next4]
  %v13 = mul i64 16384, %v11
  %v14 = add i64 %v13, 16384
  %v15 = call i64 @llvm.smin.i64(i64 %v14, i64 %v9)
  %v16 = sub i64 %v15, %v13
  %v17 = icmp sgt i64 %v16, 0
  br i1 %v17, label %lanes5, label %after6
lanes5:
  %v18 = getelementptr inbounds float, ptr %v5, i64 %v13
  %v19 = ptrtoint ptr %v18 to i64
  %v20 = sub i64 0, %v19
  %v21 = and i64 %v20, 31
  %v22 = lshr i64 %v21, 2
  %v23 = call i64 @llvm.smin.i64(i64 %v22, i64 %v16)
  %v24 = select i1 %v12, i64 %v23, i64 0
  %v34 = getelementptr float, ptr %v1, i64 %v13
  %v37 = getelementptr float, ptr %v3, i64 %v13
  %v41 = getelementptr float, ptr %v5, i64 %v13
  %v44 = sub i64 %v16, 7
  br label %rounds7
rounds7:
  %v25 = phi i64 [0, %lanes5], [%v61, %after13]
  %v26 = phi i64 [%v24, %lanes5], [%v16, %after13]
  %v27 = icmp slt i64 %v25, %v26
  br i1 %v27, label %part8, label %after9
part8:
  %v28 = sub i64 %v26, %v25
  %v29 = trunc i64 %v28 to i32
  %v30 = insertelement <8 x i32> poison, i32 %v29, i64 0
  %v31 = shufflevector <8 x i32> %v30, <8 x i32> poison, <8 x i32> zeroinitializer
  %v32 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v31
  %v33 = add i64 %v13, %v25
  %v35 = getelementptr float, ptr %v34, i64 %v25
  %v38 = getelementptr float, ptr %v37, i64 %v25
  %v42 = getelementptr float, ptr %v41, i64 %v25
  %v36 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v35, i32 4, <8 x i1> %v32, <8 x float> zeroinitializer)
  %v39 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v38, i32 4, <8 x i1> %v32, <8 x float> zeroinitializer)
  %v40 = fadd <8 x float> %v39, %v36
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v40, ptr %v42, i32 4, <8 x i1> %v32)
  br label %after9
after9:
  %v43 = icmp sge i64 %v26, %v16
  br i1 %v43, label %after6, label %whole10
whole10:
  %v45 = icmp slt i64 %v26, %v44
  br i1 %v45, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v46 = phi i64 [%v26, %enter11], [%v59, %stored16]
  %v47 = add i64 %v13, %v46
  %v48 = getelementptr float, ptr %v34, i64 %v46
  %v49 = load <8 x float>, ptr %v48, align 4
  %v50 = getelementptr float, ptr %v37, i64 %v46
  %v51 = load <8 x float>, ptr %v50, align 4
  %v52 = fadd <8 x float> %v51, %v49
  %v53 = getelementptr float, ptr %v41, i64 %v46
  %v54 = ptrtoint ptr %v53 to i64
  %v55 = and i64 %v54, 31
  %v56 = icmp eq i64 %v55, 0
  %v57 = and i1 %v56, %v12
  br i1 %v57, label %this14, label %that15
this14:
  store <8 x float> %v52, ptr %v53, align 32, !nontemporal !0
  br label %stored16
that15:
  store <8 x float> %v52, ptr %v53, align 4
  br label %stored16
stored16:
  %v58 = add i64 %v46, 8
  %v59 = call i64 @llvm.fshl.i64(i64 %v58, i64 %v58, i64 0)
  %v60 = icmp slt i64 %v59, %v44
  br i1 %v60, label %loop12, label %after13
after13:
  %v61 = phi i64 [%v26, %whole10], [%v59, %stored16]
  br label %rounds7
after6:
  br label %next4
next4:
  %v62 = add i64 %v11, 1
  %v63 = call i64 @llvm.fshl.i64(i64 %v62, i64 %v62, i64 0)
  %v64 = icmp slt i64 %v63, %end
  br i1 %v64, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
