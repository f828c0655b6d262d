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
  %v35 = insertelement <16 x float> poison, float %v9, i64 0
  %v36 = shufflevector <16 x float> %v35, <16 x float> poison, <16 x i32> zeroinitializer
  %v52 = sub i64 %v7, 15
  br label %group2
group2:
  %v14 = phi i64 [%begin, %groups1], [%v69, %next4]
  br i1 %v15, label %lanes5, label %after6
lanes5:
  br label %rounds7
rounds7:
  %v22 = phi i64 [0, %lanes5], [%v68, %after17]
  %v23 = phi i64 [%v21, %lanes5], [%v7, %after17]
  %v24 = icmp slt i64 %v22, %v23
  br i1 %v24, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v25 = phi i64 [%v22, %enter8], [%v47, %stored13]
  %v26 = sub i64 %v23, %v25
  %v27 = call i64 @llvm.umin.i64(i64 %v26, i64 16)
  %v28 = trunc i64 %v27 to i32
  %v29 = insertelement <16 x i32> poison, i32 %v28, i64 0
  %v30 = shufflevector <16 x i32> %v29, <16 x i32> poison, <16 x i32> zeroinitializer
  %v31 = icmp slt <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v30
  %v32 = icmp sge i64 %v26, 16
  %v33 = getelementptr inbounds float, ptr %v1, i64 %v25
  %v34 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v33, i32 4, <16 x i1> %v31, <16 x float> zeroinitializer)
  %v37 = fmul <16 x float> %v34, %v36
  %v38 = getelementptr inbounds float, ptr %v3, i64 %v25
  %v39 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v38, i32 4, <16 x i1> %v31, <16 x float> zeroinitializer)
  %v40 = fadd <16 x float> %v37, %v39
  %v41 = getelementptr inbounds float, ptr %v5, i64 %v25
  %v42 = ptrtoint ptr %v41 to i64
  %v43 = and i64 %v42, 63
  %v44 = icmp eq i64 %v43, 0
  %v45 = and i1 %v44, %v12
  %v46 = and i1 %v45, %v32
  br i1 %v46, label %this11, label %that12
this11:
  store <16 x float> %v40, ptr %v41, align 64, !nontemporal !0
  br label %stored13
that12:
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v40, ptr %v41, i32 4, <16 x i1> %v31)
  br label %stored13
stored13:
  %v47 = add i64 %v25, 16
  %v48 = icmp slt i64 %v47, %v23
  br i1 %v48, label %loop9, label %after10
after10:
  %v49 = phi i64 [%v22, %rounds7], [%v47, %stored13]
  %v50 = call i64 @llvm.smax.i64(i64 %v22, i64 %v23)
  %v51 = icmp sge i64 %v50, %v7
  br i1 %v51, label %after6, label %whole14
whole14:
  %v53 = icmp slt i64 %v50, %v52
  br i1 %v53, label %enter15, label %after17
enter15:
  br label %loop16
loop16:
  %v54 = phi i64 [%v50, %enter15], [%v66, %stored20]
  %v55 = getelementptr inbounds float, ptr %v1, i64 %v54
  %v56 = load <16 x float>, ptr %v55, align 4
  %v57 = fmul <16 x float> %v56, %v36
  %v58 = getelementptr inbounds float, ptr %v3, i64 %v54
  %v59 = load <16 x float>, ptr %v58, align 4
  %v60 = fadd <16 x float> %v57, %v59
  %v61 = getelementptr inbounds float, ptr %v5, i64 %v54
  %v62 = ptrtoint ptr %v61 to i64
  %v63 = and i64 %v62, 63
  %v64 = icmp eq i64 %v63, 0
  %v65 = and i1 %v64, %v12
  br i1 %v65, label %this18, label %that19
this18:
  store <16 x float> %v60, ptr %v61, align 64, !nontemporal !0
  br label %stored20
that19:
  store <16 x float> %v60, ptr %v61, align 4
  br label %stored20
stored20:
  %v66 = add i64 %v54, 16
  %v67 = icmp slt i64 %v66, %v52
  br i1 %v67, label %loop16, label %after17
after17:
  %v68 = phi i64 [%v50, %whole14], [%v66, %stored20]
  br label %rounds7
after6:
  br label %next4
next4:
  %v69 = add i64 %v14, 1
  %v70 = icmp slt i64 %v69, %end
  br i1 %v70, label %group2, label %finished3
finished3:
  call void @llvm.x86.sse.sfence()
  ret void
}
!0 = !{i32 1}
