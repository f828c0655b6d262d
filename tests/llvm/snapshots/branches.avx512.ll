target triple = "x86_64-unknown-linux-gnu"
define void @branches(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind "prefer-vector-width"="512" "min-legal-vector-width"="512" {
entry:
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load ptr, ptr %v4, align 8
  %v6 = getelementptr inbounds i64, ptr %slots, i64 3
  %v7 = load i64, ptr %v6, align 8
  %v8 = icmp slt i64 %begin, %end
  br i1 %v8, label %groups1, label %finished3
groups1:
  %v10 = icmp sgt i64 %v7, 0
  %v11 = sub i64 %v7, 15
  %v12 = icmp slt i64 0, %v11
  br label %group2
group2:
  %v9 = phi i64 [%begin, %groups1], [%v91, %next4]
  br i1 %v10, label %lanes5, label %after6
lanes5:
  br i1 %v12, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v13 = phi i64 [0, %enter7], [%v46, %after17]
  %v14 = getelementptr inbounds float, ptr %v1, i64 %v13
  %v15 = load <16 x float>, ptr %v14, align 4
  %v16 = fcmp ogt <16 x float> %v15, splat (float 0x0000000000000000)
  %v17 = bitcast <16 x i1> %v16 to i16
  %v18 = icmp ne i16 %v17, 0
  br i1 %v18, label %some10, label %after11
some10:
  %v19 = getelementptr inbounds float, ptr %v3, i64 %v13
  %v20 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v19, i32 4, <16 x i1> %v16, <16 x float> zeroinitializer)
  %v21 = fcmp ogt <16 x float> %v20, splat (float 0x3FE0000000000000)
  %v22 = and <16 x i1> %v16, %v21
  %v23 = bitcast <16 x i1> %v22 to i16
  %v24 = icmp ne i16 %v23, 0
  br i1 %v24, label %some12, label %after13
some12:
  %v25 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v19, i32 4, <16 x i1> %v22, <16 x float> zeroinitializer)
  %v26 = fmul <16 x float> %v20, %v25
  %v27 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v26)
  br label %after13
after13:
  %v28 = phi <16 x float> [%v27, %some12], [zeroinitializer, %some10]
  %v29 = xor <16 x i1> %v21, splat (i1 true)
  %v30 = and <16 x i1> %v16, %v29
  %v31 = bitcast <16 x i1> %v30 to i16
  %v32 = icmp ne i16 %v31, 0
  br i1 %v32, label %some14, label %after15
some14:
  %v33 = fneg <16 x float> %v20
  %v34 = select <16 x i1> %v29, <16 x float> %v33, <16 x float> %v28
  br label %after15
after15:
  %v35 = phi <16 x float> [%v34, %some14], [%v28, %after13]
  %v36 = getelementptr inbounds float, ptr %v5, i64 %v13
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v35, ptr %v36, i32 4, <16 x i1> %v16)
  %v37 = fadd <16 x float> %v35, %v15
  br label %after11
after11:
  %v38 = phi <16 x float> [%v37, %after15], [zeroinitializer, %loop8]
  %v39 = xor <16 x i1> %v16, splat (i1 true)
  %v40 = bitcast <16 x i1> %v39 to i16
  %v41 = icmp ne i16 %v40, 0
  br i1 %v41, label %some16, label %after17
some16:
  %v42 = fmul <16 x float> %v15, %v15
  %v43 = select <16 x i1> %v39, <16 x float> %v42, <16 x float> %v38
  br label %after17
after17:
  %v44 = phi <16 x float> [%v43, %some16], [%v38, %after11]
  %v45 = getelementptr inbounds float, ptr %v5, i64 %v13
  store <16 x float> %v44, ptr %v45, align 4
  %v46 = add i64 %v13, 16
  %v47 = icmp slt i64 %v46, %v11
  br i1 %v47, label %loop8, label %after9
after9:
  %v48 = phi i64 [0, %lanes5], [%v46, %after17]
  %v49 = icmp slt i64 %v48, %v7
  br i1 %v49, label %part18, label %after19
part18:
  %v50 = sub i64 %v7, %v48
  %v51 = call i64 @llvm.umin.i64(i64 %v50, i64 16)
  %v52 = trunc i64 %v51 to i32
  %v53 = insertelement <16 x i32> poison, i32 %v52, i64 0
  %v54 = shufflevector <16 x i32> %v53, <16 x i32> poison, <16 x i32> zeroinitializer
  %v55 = icmp slt <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v54
  %v56 = icmp sge i64 %v50, 16
  %v57 = getelementptr inbounds float, ptr %v1, i64 %v48
  %v90 = getelementptr inbounds float, ptr %v5, i64 %v48
  %v58 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v57, i32 4, <16 x i1> %v55, <16 x float> zeroinitializer)
  %v59 = fcmp ogt <16 x float> %v58, splat (float 0x0000000000000000)
  %v60 = and <16 x i1> %v55, %v59
  %v61 = bitcast <16 x i1> %v60 to i16
  %v62 = icmp ne i16 %v61, 0
  br i1 %v62, label %some20, label %after21
some20:
  %v63 = getelementptr inbounds float, ptr %v3, i64 %v48
  %v64 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v63, i32 4, <16 x i1> %v60, <16 x float> zeroinitializer)
  %v65 = fcmp ogt <16 x float> %v64, splat (float 0x3FE0000000000000)
  %v66 = and <16 x i1> %v60, %v65
  %v67 = bitcast <16 x i1> %v66 to i16
  %v68 = icmp ne i16 %v67, 0
  br i1 %v68, label %some22, label %after23
some22:
  %v69 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v63, i32 4, <16 x i1> %v66, <16 x float> zeroinitializer)
  %v70 = fmul <16 x float> %v64, %v69
  %v71 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v70)
  br label %after23
after23:
  %v72 = phi <16 x float> [%v71, %some22], [zeroinitializer, %some20]
  %v73 = xor <16 x i1> %v65, splat (i1 true)
  %v74 = and <16 x i1> %v60, %v73
  %v75 = bitcast <16 x i1> %v74 to i16
  %v76 = icmp ne i16 %v75, 0
  br i1 %v76, label %some24, label %after25
some24:
  %v77 = fneg <16 x float> %v64
  %v78 = select <16 x i1> %v73, <16 x float> %v77, <16 x float> %v72
  br label %after25
after25:
  %v79 = phi <16 x float> [%v78, %some24], [%v72, %after23]
  %v80 = getelementptr inbounds float, ptr %v5, i64 %v48
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v79, ptr %v80, i32 4, <16 x i1> %v60)
  %v81 = fadd <16 x float> %v79, %v58
  br label %after21
after21:
  %v82 = phi <16 x float> [%v81, %after25], [zeroinitializer, %part18]
  %v83 = xor <16 x i1> %v59, splat (i1 true)
  %v84 = and <16 x i1> %v55, %v83
  %v85 = bitcast <16 x i1> %v84 to i16
  %v86 = icmp ne i16 %v85, 0
  br i1 %v86, label %some26, label %after27
some26:
  %v87 = fmul <16 x float> %v58, %v58
  %v88 = select <16 x i1> %v83, <16 x float> %v87, <16 x float> %v82
  br label %after27
after27:
  %v89 = phi <16 x float> [%v88, %some26], [%v82, %after21]
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v89, ptr %v90, i32 4, <16 x i1> %v55)
  br label %after19
after19:
  br label %after6
after6:
  br label %next4
next4:
  %v91 = add i64 %v9, 1
  %v92 = icmp slt i64 %v91, %end
  br i1 %v92, label %group2, label %finished3
finished3:
  ret void
}
