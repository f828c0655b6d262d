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
  %v7 = phi i64 [%begin, %groups1], [%v83, %next4]
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
  %v48 = sub i64 64, %v47
  %v49 = lshr i64 -1, %v48
  %v50 = trunc i64 %v49 to i16
  %v51 = bitcast i16 %v50 to <16 x i1>
  %v52 = getelementptr inbounds i16, ptr %v1, i64 %v45
  %v81 = getelementptr inbounds i32, ptr %v3, i64 %v45
  %v53 = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr %v52, i32 2, <16 x i1> %v51, <16 x i16> zeroinitializer)
  %v54 = bitcast <16 x i16> %v53 to <16 x half>
  %v55 = fpext <16 x half> %v54 to <16 x float>
  %v56 = fadd <16 x float> %v55, %v55
  %v57 = fptrunc <16 x float> %v56 to <16 x half>
  %v58 = bitcast <16 x half> %v57 to <16 x i16>
  %v59 = bitcast <16 x i16> %v58 to <16 x half>
  %v60 = fpext <16 x half> %v59 to <16 x float>
  %v61 = call <16 x float> @llvm.floor.v16f32(<16 x float> %v60)
  %v62 = fptrunc <16 x float> %v61 to <16 x half>
  %v63 = bitcast <16 x half> %v62 to <16 x i16>
  %v64 = bitcast <16 x i16> %v63 to <16 x half>
  %v65 = fpext <16 x half> %v64 to <16 x float>
  %v66 = call <16 x float> @llvm.fabs.v16f32(<16 x float> %v65)
  %v67 = fcmp olt <16 x float> %v66, splat (float 0x41E0000000000000)
  %v68 = fptosi <16 x float> %v65 to <16 x i32>
  %v69 = select <16 x i1> %v67, <16 x i32> %v68, <16 x i32> splat (i32 -2147483648)
  %v70 = sdiv <16 x i32> %v69, splat (i32 3)
  %v71 = mul <16 x i32> %v70, splat (i32 3)
  %v72 = sub <16 x i32> %v69, %v71
  %v73 = icmp ne <16 x i32> %v72, splat (i32 0)
  %v74 = xor <16 x i32> %v72, splat (i32 3)
  %v75 = icmp slt <16 x i32> %v74, splat (i32 0)
  %v76 = and <16 x i1> %v73, %v75
  %v77 = sub <16 x i32> %v70, splat (i32 1)
  %v78 = add <16 x i32> %v72, splat (i32 3)
  %v79 = select <16 x i1> %v76, <16 x i32> %v77, <16 x i32> %v70
  %v80 = select <16 x i1> %v76, <16 x i32> %v78, <16 x i32> %v72
  call void @llvm.masked.store.v16i32.p0(<16 x i32> %v79, ptr %v81, i32 4, <16 x i1> %v51)
  br label %after11
after11:
  br label %after6
after6:
  br label %next4
next4:
  %v82 = add i64 %v7, 1
  %v83 = call i64 @llvm.fshl.i64(i64 %v82, i64 %v82, i64 0)
  %v84 = icmp slt i64 %v83, %end
  br i1 %v84, label %group2, label %finished3
finished3:
  ret void
}
