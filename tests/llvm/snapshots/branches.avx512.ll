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
  %v9 = phi i64 [%begin, %groups1], [%v95, %next4]
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
  %v17 = xor <16 x i1> %v16, splat (i1 true)
  %v18 = bitcast <16 x i1> %v16 to i16
  %v19 = icmp ne i16 %v18, 0
  br i1 %v19, label %some10, label %after11
some10:
  %v20 = getelementptr inbounds float, ptr %v3, i64 %v13
  %v21 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v20, i32 4, <16 x i1> %v16, <16 x float> zeroinitializer)
  %v22 = fcmp ogt <16 x float> %v21, splat (float 0x3FE0000000000000)
  %v23 = xor <16 x i1> %v22, splat (i1 true)
  %v24 = and <16 x i1> %v16, %v22
  %v25 = bitcast <16 x i1> %v24 to i16
  %v26 = icmp ne i16 %v25, 0
  br i1 %v26, label %some12, label %after13
some12:
  %v27 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v20, i32 4, <16 x i1> %v24, <16 x float> zeroinitializer)
  %v28 = fmul <16 x float> %v21, %v27
  %v29 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v28)
  br label %after13
after13:
  %v30 = phi <16 x float> [%v29, %some12], [zeroinitializer, %some10]
  %v31 = and <16 x i1> %v16, %v23
  %v32 = bitcast <16 x i1> %v31 to i16
  %v33 = icmp ne i16 %v32, 0
  br i1 %v33, label %some14, label %after15
some14:
  %v34 = fneg <16 x float> %v21
  br label %after15
after15:
  %v35 = phi <16 x float> [%v34, %some14], [zeroinitializer, %after13]
  %v36 = select <16 x i1> %v22, <16 x float> %v30, <16 x float> %v35
  %v37 = getelementptr inbounds float, ptr %v5, i64 %v13
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v36, ptr %v37, i32 4, <16 x i1> %v16)
  %v38 = fadd <16 x float> %v36, %v15
  br label %after11
after11:
  %v39 = phi <16 x float> [%v38, %after15], [zeroinitializer, %loop8]
  %v40 = bitcast <16 x i1> %v17 to i16
  %v41 = icmp ne i16 %v40, 0
  br i1 %v41, label %some16, label %after17
some16:
  %v42 = fmul <16 x float> %v15, %v15
  br label %after17
after17:
  %v43 = phi <16 x float> [%v42, %some16], [zeroinitializer, %after11]
  %v44 = select <16 x i1> %v16, <16 x float> %v39, <16 x float> %v43
  %v45 = getelementptr inbounds float, ptr %v5, i64 %v13
  store <16 x float> %v44, ptr %v45, align 4
  %v46 = add i64 %v13, 16
  %v47 = icmp slt i64 %v46, %v11
  br i1 %v47, label %loop8, label %after9
after9:
  %v48 = phi i64 [0, %lanes5], [%v46, %after17]
  %v49 = icmp slt i64 %v48, %v7
  br i1 %v49, label %enter18, label %after20
enter18:
  br label %loop19
loop19:
  %v50 = phi i64 [%v48, %enter18], [%v92, %after28]
  %v51 = sub i64 %v7, %v50
  %v52 = call i64 @llvm.umin.i64(i64 %v51, i64 16)
  %v53 = trunc i64 %v52 to i32
  %v54 = insertelement <16 x i32> poison, i32 %v53, i64 0
  %v55 = shufflevector <16 x i32> %v54, <16 x i32> poison, <16 x i32> zeroinitializer
  %v56 = icmp slt <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v55
  %v57 = icmp sge i64 %v51, 16
  %v58 = getelementptr inbounds float, ptr %v1, i64 %v50
  %v59 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v58, i32 4, <16 x i1> %v56, <16 x float> zeroinitializer)
  %v60 = fcmp ogt <16 x float> %v59, splat (float 0x0000000000000000)
  %v61 = xor <16 x i1> %v60, splat (i1 true)
  %v62 = and <16 x i1> %v56, %v60
  %v63 = bitcast <16 x i1> %v62 to i16
  %v64 = icmp ne i16 %v63, 0
  br i1 %v64, label %some21, label %after22
some21:
  %v65 = getelementptr inbounds float, ptr %v3, i64 %v50
  %v66 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v65, i32 4, <16 x i1> %v62, <16 x float> zeroinitializer)
  %v67 = fcmp ogt <16 x float> %v66, splat (float 0x3FE0000000000000)
  %v68 = xor <16 x i1> %v67, splat (i1 true)
  %v69 = and <16 x i1> %v62, %v67
  %v70 = bitcast <16 x i1> %v69 to i16
  %v71 = icmp ne i16 %v70, 0
  br i1 %v71, label %some23, label %after24
some23:
  %v72 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v65, i32 4, <16 x i1> %v69, <16 x float> zeroinitializer)
  %v73 = fmul <16 x float> %v66, %v72
  %v74 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v73)
  br label %after24
after24:
  %v75 = phi <16 x float> [%v74, %some23], [zeroinitializer, %some21]
  %v76 = and <16 x i1> %v62, %v68
  %v77 = bitcast <16 x i1> %v76 to i16
  %v78 = icmp ne i16 %v77, 0
  br i1 %v78, label %some25, label %after26
some25:
  %v79 = fneg <16 x float> %v66
  br label %after26
after26:
  %v80 = phi <16 x float> [%v79, %some25], [zeroinitializer, %after24]
  %v81 = select <16 x i1> %v67, <16 x float> %v75, <16 x float> %v80
  %v82 = getelementptr inbounds float, ptr %v5, i64 %v50
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v81, ptr %v82, i32 4, <16 x i1> %v62)
  %v83 = fadd <16 x float> %v81, %v59
  br label %after22
after22:
  %v84 = phi <16 x float> [%v83, %after26], [zeroinitializer, %loop19]
  %v85 = and <16 x i1> %v56, %v61
  %v86 = bitcast <16 x i1> %v85 to i16
  %v87 = icmp ne i16 %v86, 0
  br i1 %v87, label %some27, label %after28
some27:
  %v88 = fmul <16 x float> %v59, %v59
  br label %after28
after28:
  %v89 = phi <16 x float> [%v88, %some27], [zeroinitializer, %after22]
  %v90 = select <16 x i1> %v60, <16 x float> %v84, <16 x float> %v89
  %v91 = getelementptr inbounds float, ptr %v5, i64 %v50
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v90, ptr %v91, i32 4, <16 x i1> %v56)
  %v92 = add i64 %v50, 16
  %v93 = icmp slt i64 %v92, %v7
  br i1 %v93, label %loop19, label %after20
after20:
  %v94 = phi i64 [%v48, %after9], [%v92, %after28]
  br label %after6
after6:
  br label %next4
next4:
  %v95 = add i64 %v9, 1
  %v96 = icmp slt i64 %v95, %end
  br i1 %v96, label %group2, label %finished3
finished3:
  ret void
}
