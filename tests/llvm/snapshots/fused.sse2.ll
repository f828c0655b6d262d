target triple = "x86_64-unknown-linux-gnu"
define void @fused(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
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
  %v18 = and i64 %v17, 15
  %v19 = lshr i64 %v18, 2
  %v20 = call i64 @llvm.smin.i64(i64 %v19, i64 %v7)
  %v21 = select i1 %v12, i64 %v20, i64 0
  %v38 = sub i64 %v7, 3
  %v43 = insertelement <4 x float> poison, float %v9, i64 0
  %v44 = shufflevector <4 x float> %v43, <4 x float> poison, <4 x i32> zeroinitializer
  br label %group2
group2:
  %v14 = phi i64 [%begin, %groups1], [%v59, %next4]
  br i1 %v15, label %lanes5, label %after6
lanes5:
  br label %rounds7
rounds7:
  %v22 = phi i64 [0, %lanes5], [%v57, %after14]
  %v23 = phi i64 [%v21, %lanes5], [%v7, %after14]
  %v24 = icmp slt i64 %v22, %v23
  br i1 %v24, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v25 = phi i64 [%v22, %enter8], [%v34, %loop9]
  %v26 = getelementptr inbounds float, ptr %v1, i64 %v25
  %v27 = load float, ptr %v26, align 4
  %v28 = fmul float %v27, %v9
  %v29 = getelementptr inbounds float, ptr %v3, i64 %v25
  %v30 = load float, ptr %v29, align 4
  %v31 = fadd float %v28, %v30
  %v32 = getelementptr inbounds float, ptr %v5, i64 %v25
  store float %v31, ptr %v32, align 4
  %v33 = add i64 %v25, 1
  %v34 = call i64 @llvm.fshl.i64(i64 %v33, i64 %v33, i64 0)
  %v35 = icmp slt i64 %v34, %v23
  br i1 %v35, label %loop9, label %after10
after10:
  %v36 = phi i64 [%v22, %rounds7], [%v34, %loop9]
  %v37 = icmp sge i64 %v23, %v7
  br i1 %v37, label %after6, label %whole11
whole11:
  %v39 = icmp slt i64 %v23, %v38
  br i1 %v39, label %enter12, label %after14
enter12:
  br label %loop13
loop13:
  %v40 = phi i64 [%v23, %enter12], [%v55, %stored17]
  %v41 = getelementptr inbounds float, ptr %v1, i64 %v40
  %v42 = load <4 x float>, ptr %v41, align 4
  %v45 = fmul <4 x float> %v42, %v44
  %v46 = getelementptr inbounds float, ptr %v3, i64 %v40
  %v47 = load <4 x float>, ptr %v46, align 4
  %v48 = fadd <4 x float> %v45, %v47
  %v49 = getelementptr inbounds float, ptr %v5, i64 %v40
  %v50 = ptrtoint ptr %v49 to i64
  %v51 = and i64 %v50, 15
  %v52 = icmp eq i64 %v51, 0
  %v53 = and i1 %v52, %v12
  br i1 %v53, label %this15, label %that16
this15:
  store <4 x float> %v48, ptr %v49, align 16, !nontemporal !0
  br label %stored17
that16:
  store <4 x float> %v48, ptr %v49, align 4
  br label %stored17
stored17:
  %v54 = add i64 %v40, 4
  %v55 = call i64 @llvm.fshl.i64(i64 %v54, i64 %v54, i64 0)
  %v56 = icmp slt i64 %v55, %v38
  br i1 %v56, label %loop13, label %after14
after14:
  %v57 = phi i64 [%v23, %whole11], [%v55, %stored17]
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
