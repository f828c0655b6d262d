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
  %v52 = sub i64 64, %v51
  %v53 = lshr i64 -1, %v52
  %v54 = trunc i64 %v53 to i16
  %v55 = bitcast i16 %v54 to <16 x i1>
  %v56 = getelementptr inbounds float, ptr %v1, i64 %v49
  %v89 = getelementptr inbounds float, ptr %v5, i64 %v49
  %v57 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v56, i32 4, <16 x i1> %v55, <16 x float> zeroinitializer)
  %v58 = fcmp ogt <16 x float> %v57, splat (float 0x0000000000000000)
  %v59 = and <16 x i1> %v55, %v58
  %v60 = bitcast <16 x i1> %v59 to i16
  %v61 = icmp ne i16 %v60, 0
  br i1 %v61, label %some20, label %after21
some20:
  %v62 = getelementptr inbounds float, ptr %v3, i64 %v49
  %v63 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v62, i32 4, <16 x i1> %v59, <16 x float> zeroinitializer)
  %v64 = fcmp ogt <16 x float> %v63, splat (float 0x3FE0000000000000)
  %v65 = and <16 x i1> %v59, %v64
  %v66 = bitcast <16 x i1> %v65 to i16
  %v67 = icmp ne i16 %v66, 0
  br i1 %v67, label %some22, label %after23
some22:
  %v68 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v62, i32 4, <16 x i1> %v65, <16 x float> zeroinitializer)
  %v69 = fmul <16 x float> %v63, %v68
  %v70 = call <16 x float> @llvm.sqrt.v16f32(<16 x float> %v69)
  br label %after23
after23:
  %v71 = phi <16 x float> [%v70, %some22], [zeroinitializer, %some20]
  %v72 = xor <16 x i1> %v64, splat (i1 true)
  %v73 = and <16 x i1> %v59, %v72
  %v74 = bitcast <16 x i1> %v73 to i16
  %v75 = icmp ne i16 %v74, 0
  br i1 %v75, label %some24, label %after25
some24:
  %v76 = fneg <16 x float> %v63
  %v77 = select <16 x i1> %v72, <16 x float> %v76, <16 x float> %v71
  br label %after25
after25:
  %v78 = phi <16 x float> [%v77, %some24], [%v71, %after23]
  %v79 = getelementptr inbounds float, ptr %v5, i64 %v49
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v78, ptr %v79, i32 4, <16 x i1> %v59)
  %v80 = fadd <16 x float> %v78, %v57
  br label %after21
after21:
  %v81 = phi <16 x float> [%v80, %after25], [zeroinitializer, %part18]
  %v82 = xor <16 x i1> %v58, splat (i1 true)
  %v83 = and <16 x i1> %v55, %v82
  %v84 = bitcast <16 x i1> %v83 to i16
  %v85 = icmp ne i16 %v84, 0
  br i1 %v85, label %some26, label %after27
some26:
  %v86 = fmul <16 x float> %v57, %v57
  %v87 = select <16 x i1> %v82, <16 x float> %v86, <16 x float> %v81
  br label %after27
after27:
  %v88 = phi <16 x float> [%v87, %some26], [%v81, %after21]
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v88, ptr %v89, i32 4, <16 x i1> %v55)
  br label %after19
after19:
  br label %after6
after6:
  br label %next4
next4:
  %v90 = add i64 %v9, 1
  %v91 = call i64 @llvm.fshl.i64(i64 %v90, i64 %v90, i64 0)
  %v92 = icmp slt i64 %v91, %end
  br i1 %v92, label %group2, label %finished3
finished3:
  ret void
}
