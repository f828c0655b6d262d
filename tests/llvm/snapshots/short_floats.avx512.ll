target triple = "x86_64-unknown-linux-gnu"
define void @short_floats(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind "prefer-vector-width"="512" "min-legal-vector-width"="512" {
entry:
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load i64, ptr %v4, align 8
  %v6 = icmp slt i64 %begin, %end
  br i1 %v6, label %groups1, label %finished3
groups1:
  %v8 = icmp sgt i64 %v5, 0
  %v9 = sub i64 %v5, 15
  %v10 = icmp slt i64 0, %v9
  br label %group2
group2:
  %v7 = phi i64 [%begin, %groups1], [%v85, %next4]
  br i1 %v8, label %lanes5, label %after6
lanes5:
  br i1 %v10, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v11 = phi i64 [0, %enter7], [%v43, %loop8]
  %v12 = getelementptr inbounds i16, ptr %v1, i64 %v11
  %v13 = load <16 x i16>, ptr %v12, align 2
  %v14 = bitcast <16 x i16> %v13 to <16 x half>
  %v15 = fpext <16 x half> %v14 to <16 x float>
  %v16 = fadd <16 x float> %v15, %v15
  %v17 = fptrunc <16 x float> %v16 to <16 x half>
  %v18 = bitcast <16 x half> %v17 to <16 x i16>
  %v19 = bitcast <16 x i16> %v18 to <16 x half>
  %v20 = fpext <16 x half> %v19 to <16 x float>
  %v21 = call <16 x float> @llvm.floor.v16f32(<16 x float> %v20)
  %v22 = fptrunc <16 x float> %v21 to <16 x half>
  %v23 = bitcast <16 x half> %v22 to <16 x i16>
  %v24 = bitcast <16 x i16> %v23 to <16 x half>
  %v25 = fpext <16 x half> %v24 to <16 x float>
  %v26 = call <16 x float> @llvm.fabs.v16f32(<16 x float> %v25)
  %v27 = fcmp olt <16 x float> %v26, splat (float 0x41E0000000000000)
  %v28 = fptosi <16 x float> %v25 to <16 x i32>
  %v29 = select <16 x i1> %v27, <16 x i32> %v28, <16 x i32> splat (i32 -2147483648)
  %v30 = sdiv <16 x i32> %v29, splat (i32 3)
  %v31 = mul <16 x i32> %v30, splat (i32 3)
  %v32 = sub <16 x i32> %v29, %v31
  %v33 = icmp ne <16 x i32> %v32, splat (i32 0)
  %v34 = xor <16 x i32> %v32, splat (i32 3)
  %v35 = icmp slt <16 x i32> %v34, splat (i32 0)
  %v36 = and <16 x i1> %v33, %v35
  %v37 = sub <16 x i32> %v30, splat (i32 1)
  %v38 = add <16 x i32> %v32, splat (i32 3)
  %v39 = select <16 x i1> %v36, <16 x i32> %v37, <16 x i32> %v30
  %v40 = select <16 x i1> %v36, <16 x i32> %v38, <16 x i32> %v32
  %v41 = getelementptr inbounds i32, ptr %v3, i64 %v11
  store <16 x i32> %v39, ptr %v41, align 4
  %v42 = add i64 %v11, 16
  %v43 = call i64 @llvm.fshl.i64(i64 %v42, i64 %v42, i64 0)
  %v44 = icmp slt i64 %v43, %v9
  br i1 %v44, label %loop8, label %after9
after9:
  %v45 = phi i64 [0, %lanes5], [%v43, %loop8]
  %v46 = icmp slt i64 %v45, %v5
  br i1 %v46, label %part10, label %after11
part10:
  %v47 = sub i64 %v5, %v45
  %v48 = call i64 @llvm.umin.i64(i64 %v47, i64 16)
  %v49 = trunc i64 %v48 to i32
  %v50 = insertelement <16 x i32> poison, i32 %v49, i64 0
  %v51 = shufflevector <16 x i32> %v50, <16 x i32> poison, <16 x i32> zeroinitializer
  %v52 = icmp slt <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v51
  %v53 = icmp sge i64 %v47, 16
  %v54 = getelementptr inbounds i16, ptr %v1, i64 %v45
  %v83 = getelementptr inbounds i32, ptr %v3, i64 %v45
  %v55 = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr %v54, i32 2, <16 x i1> %v52, <16 x i16> zeroinitializer)
  %v56 = bitcast <16 x i16> %v55 to <16 x half>
  %v57 = fpext <16 x half> %v56 to <16 x float>
  %v58 = fadd <16 x float> %v57, %v57
  %v59 = fptrunc <16 x float> %v58 to <16 x half>
  %v60 = bitcast <16 x half> %v59 to <16 x i16>
  %v61 = bitcast <16 x i16> %v60 to <16 x half>
  %v62 = fpext <16 x half> %v61 to <16 x float>
  %v63 = call <16 x float> @llvm.floor.v16f32(<16 x float> %v62)
  %v64 = fptrunc <16 x float> %v63 to <16 x half>
  %v65 = bitcast <16 x half> %v64 to <16 x i16>
  %v66 = bitcast <16 x i16> %v65 to <16 x half>
  %v67 = fpext <16 x half> %v66 to <16 x float>
  %v68 = call <16 x float> @llvm.fabs.v16f32(<16 x float> %v67)
  %v69 = fcmp olt <16 x float> %v68, splat (float 0x41E0000000000000)
  %v70 = fptosi <16 x float> %v67 to <16 x i32>
  %v71 = select <16 x i1> %v69, <16 x i32> %v70, <16 x i32> splat (i32 -2147483648)
  %v72 = sdiv <16 x i32> %v71, splat (i32 3)
  %v73 = mul <16 x i32> %v72, splat (i32 3)
  %v74 = sub <16 x i32> %v71, %v73
  %v75 = icmp ne <16 x i32> %v74, splat (i32 0)
  %v76 = xor <16 x i32> %v74, splat (i32 3)
  %v77 = icmp slt <16 x i32> %v76, splat (i32 0)
  %v78 = and <16 x i1> %v75, %v77
  %v79 = sub <16 x i32> %v72, splat (i32 1)
  %v80 = add <16 x i32> %v74, splat (i32 3)
  %v81 = select <16 x i1> %v78, <16 x i32> %v79, <16 x i32> %v72
  %v82 = select <16 x i1> %v78, <16 x i32> %v80, <16 x i32> %v74
  call void @llvm.masked.store.v16i32.p0(<16 x i32> %v81, ptr %v83, i32 4, <16 x i1> %v52)
  br label %after11
after11:
  br label %after6
after6:
  br label %next4
next4:
  %v84 = add i64 %v7, 1
  %v85 = call i64 @llvm.fshl.i64(i64 %v84, i64 %v84, i64 0)
  %v86 = icmp slt i64 %v85, %end
  br i1 %v86, label %group2, label %finished3
finished3:
  ret void
}
