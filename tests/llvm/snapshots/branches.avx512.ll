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
  %v9 = phi i64 [%begin, %groups1], [%v93, %next4]
  br i1 %v10, label %lanes5, label %after6
lanes5:
  br i1 %v12, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v13 = phi i64 [0, %enter7], [%v47, %after17]
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
  %v47 = call i64 @llvm.fshl.i64(i64 %v46, i64 %v46, i64 0)
  %v48 = icmp slt i64 %v47, %v11
  br i1 %v48, label %loop8, label %after9
after9:
  %v49 = phi i64 [0, %lanes5], [%v47, %after17]
  %v50 = icmp slt i64 %v49, %v7
  br i1 %v50, label %part18, label %after19
part18:
  %v51 = sub i64 %v7, %v49
  %v52 = call i64 @llvm.umin.i64(i64 %v51, i64 16)
  %v53 = trunc i64 %v52 to i32
  %v54 = insertelement <16 x i32> poison, i32 %v53, i64 0
  %v55 = shufflevector <16 x i32> %v54, <16 x i32> poison, <16 x i32> zeroinitializer
  %v56 = icmp slt <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v55
  %v57 = icmp sge i64 %v51, 16
  %v58 = getelementptr inbounds float, ptr %v1, i64 %v49
  %v91 = getelementptr inbounds float, ptr %v5, i64 %v49
  %v59 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v58, i32 4, <16 x i1> %v56, <16 x float> zeroinitializer)
  %v60 = fcmp ogt <16 x float> %v59, splat (float 0x0000000000000000)
  %v61 = and <16 x i1> %v56, %v60
  %v62 = bitcast <16 x i1> %v61 to i16
  %v63 = icmp ne i16 %v62, 0
  br i1 %v63, label %some20, label %after21
some20:
  %v64 = getelementptr inbounds float, ptr %v3, i64 %v49
  %v65 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v64, i32 4, <16 x i1> %v61, <16 x float> zeroinitializer)
  %v66 = fcmp ogt <16 x float> %v65, splat (float 0x3FE0000000000000)
  %v67 = and <16 x i1> %v61, %v66
  %v68 = bitcast <16 x i1> %v67 to i16
  %v69 = icmp ne i16 %v68, 0
  br i1 %v69, label %some22, label %after23
some22:
  %v70 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v64, i32 4, <16 x i1> %v67, <16 x float> zeroinitializer)
  %v71 = fmul <16 x float> %v65, %v70
  %v72 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v71)
  br label %after23
after23:
  %v73 = phi <16 x float> [%v72, %some22], [zeroinitializer, %some20]
  %v74 = xor <16 x i1> %v66, splat (i1 true)
  %v75 = and <16 x i1> %v61, %v74
  %v76 = bitcast <16 x i1> %v75 to i16
  %v77 = icmp ne i16 %v76, 0
  br i1 %v77, label %some24, label %after25
some24:
  %v78 = fneg <16 x float> %v65
  %v79 = select <16 x i1> %v74, <16 x float> %v78, <16 x float> %v73
  br label %after25
after25:
  %v80 = phi <16 x float> [%v79, %some24], [%v73, %after23]
  %v81 = getelementptr inbounds float, ptr %v5, i64 %v49
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v80, ptr %v81, i32 4, <16 x i1> %v61)
  %v82 = fadd <16 x float> %v80, %v59
  br label %after21
after21:
  %v83 = phi <16 x float> [%v82, %after25], [zeroinitializer, %part18]
  %v84 = xor <16 x i1> %v60, splat (i1 true)
  %v85 = and <16 x i1> %v56, %v84
  %v86 = bitcast <16 x i1> %v85 to i16
  %v87 = icmp ne i16 %v86, 0
  br i1 %v87, label %some26, label %after27
some26:
  %v88 = fmul <16 x float> %v59, %v59
  %v89 = select <16 x i1> %v84, <16 x float> %v88, <16 x float> %v83
  br label %after27
after27:
  %v90 = phi <16 x float> [%v89, %some26], [%v83, %after21]
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v90, ptr %v91, i32 4, <16 x i1> %v56)
  br label %after19
after19:
  br label %after6
after6:
  br label %next4
next4:
  %v92 = add i64 %v9, 1
  %v93 = call i64 @llvm.fshl.i64(i64 %v92, i64 %v92, i64 0)
  %v94 = icmp slt i64 %v93, %end
  br i1 %v94, label %group2, label %finished3
finished3:
  ret void
}
