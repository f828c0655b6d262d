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
  %v7 = phi i64 [%begin, %groups1], [%v79, %next4]
  br i1 %v8, label %lanes5, label %after6
lanes5:
  br i1 %v10, label %enter7, label %after9
enter7:
  br label %loop8
loop8:
  %v11 = phi i64 [0, %enter7], [%v41, %loop8]
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
  %v38 = select <16 x i1> %v36, <16 x i32> %v37, <16 x i32> %v30
  %v39 = getelementptr inbounds i32, ptr %v3, i64 %v11
  store <16 x i32> %v38, ptr %v39, align 4
  %v40 = add i64 %v11, 16
  %v41 = call i64 @llvm.fshl.i64(i64 %v40, i64 %v40, i64 0)
  %v42 = icmp slt i64 %v41, %v9
  br i1 %v42, label %loop8, label %after9
after9:
  %v43 = phi i64 [0, %lanes5], [%v41, %loop8]
  %v44 = icmp slt i64 %v43, %v5
  br i1 %v44, label %part10, label %after11
part10:
  %v45 = sub i64 %v5, %v43
  %v46 = sub i64 64, %v45
  %v47 = lshr i64 -1, %v46
  %v48 = trunc i64 %v47 to i16
  %v49 = bitcast i16 %v48 to <16 x i1>
  %v50 = getelementptr inbounds i16, ptr %v1, i64 %v43
  %v77 = getelementptr inbounds i32, ptr %v3, i64 %v43
  %v51 = call <16 x i16> @llvm.masked.load.v16i16.p0(ptr %v50, i32 2, <16 x i1> %v49, <16 x i16> zeroinitializer)
  %v52 = bitcast <16 x i16> %v51 to <16 x half>
  %v53 = fpext <16 x half> %v52 to <16 x float>
  %v54 = fadd <16 x float> %v53, %v53
  %v55 = fptrunc <16 x float> %v54 to <16 x half>
  %v56 = bitcast <16 x half> %v55 to <16 x i16>
  %v57 = bitcast <16 x i16> %v56 to <16 x half>
  %v58 = fpext <16 x half> %v57 to <16 x float>
  %v59 = call <16 x float> @llvm.floor.v16f32(<16 x float> %v58)
  %v60 = fptrunc <16 x float> %v59 to <16 x half>
  %v61 = bitcast <16 x half> %v60 to <16 x i16>
  %v62 = bitcast <16 x i16> %v61 to <16 x half>
  %v63 = fpext <16 x half> %v62 to <16 x float>
  %v64 = call <16 x float> @llvm.fabs.v16f32(<16 x float> %v63)
  %v65 = fcmp olt <16 x float> %v64, splat (float 0x41E0000000000000)
  %v66 = fptosi <16 x float> %v63 to <16 x i32>
  %v67 = select <16 x i1> %v65, <16 x i32> %v66, <16 x i32> splat (i32 -2147483648)
  %v68 = sdiv <16 x i32> %v67, splat (i32 3)
  %v69 = mul <16 x i32> %v68, splat (i32 3)
  %v70 = sub <16 x i32> %v67, %v69
  %v71 = icmp ne <16 x i32> %v70, splat (i32 0)
  %v72 = xor <16 x i32> %v70, splat (i32 3)
  %v73 = icmp slt <16 x i32> %v72, splat (i32 0)
  %v74 = and <16 x i1> %v71, %v73
  %v75 = sub <16 x i32> %v68, splat (i32 1)
  %v76 = select <16 x i1> %v74, <16 x i32> %v75, <16 x i32> %v68
  call void @llvm.masked.store.v16i32.p0(<16 x i32> %v76, ptr %v77, i32 4, <16 x i1> %v49)
  br label %after11
after11:
  br label %after6
after6:
  br label %next4
next4:
  %v78 = add i64 %v7, 1
  %v79 = call i64 @llvm.fshl.i64(i64 %v78, i64 %v78, i64 0)
  %v80 = icmp slt i64 %v79, %end
  br i1 %v80, label %group2, label %finished3
finished3:
  ret void
}
