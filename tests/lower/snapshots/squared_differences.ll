target triple = "x86_64-unknown-linux-gnu"
define void @sum(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v27 = alloca [32 x float], align 64
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
  %v77 = getelementptr inbounds float, ptr %v27, i64 8
  %v78 = getelementptr inbounds float, ptr %v27, i64 16
  %v79 = getelementptr inbounds float, ptr %v27, i64 24
  br label %group2
group2:
  %v11 = phi i64 [%begin, %groups1], [%v128, %next4]
  %v12 = urem i64 %v11, %v7
  %v13 = udiv i64 %v11, %v7
  %v14 = add i64 %v13, 1
  %v15 = call i64 @llvm.smin.i64(i64 %v14, i64 1)
  %v16 = mul i64 16384, %v12
  %v17 = add i64 %v16, 16384
  %v18 = call i64 @llvm.smin.i64(i64 %v17, i64 %v9)
  %v19 = icmp slt i64 %v13, %v15
  br i1 %v19, label %enter5, label %after7
enter5:
  %v21 = icmp slt i64 %v16, %v18
  %v124 = getelementptr inbounds float, ptr %v5, i64 %v12
  br label %loop6
loop6:
  %v20 = phi i64 [%v13, %enter5], [%v125, %after10]
  br i1 %v21, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v22 = phi i64 [%v16, %enter8], [%v24, %after16]
  %v23 = phi float [0x0000000000000000, %enter8], [%v120, %after16]
  %v24 = add i64 %v22, 4096
  %v25 = call i64 @llvm.smin.i64(i64 %v24, i64 %v18)
  %v26 = sub i64 %v25, %v22
  %v28 = sub i64 %v26, 31
  %v29 = icmp slt i64 0, %v28
  br i1 %v29, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v30 = phi i64 [0, %enter11], [%v70, %loop12]
  %v31 = phi <8 x float> [splat (float 0x0000000000000000), %enter11], [%v42, %loop12]
  %v32 = phi <8 x float> [splat (float 0x0000000000000000), %enter11], [%v51, %loop12]
  %v33 = phi <8 x float> [splat (float 0x0000000000000000), %enter11], [%v60, %loop12]
  %v34 = phi <8 x float> [splat (float 0x0000000000000000), %enter11], [%v69, %loop12]
  %v35 = add i64 %v22, %v30
  %v36 = getelementptr inbounds float, ptr %v1, i64 %v35
  %v37 = load <8 x float>, ptr %v36, align 4
  %v38 = getelementptr inbounds float, ptr %v3, i64 %v35
  %v39 = load <8 x float>, ptr %v38, align 4
  %v40 = fsub <8 x float> %v39, %v37
  %v41 = fmul <8 x float> %v40, %v40
  %v42 = fadd <8 x float> %v31, %v41
  %v43 = add i64 %v30, 8
  %v44 = add i64 %v22, %v43
  %v45 = getelementptr inbounds float, ptr %v1, i64 %v44
  %v46 = load <8 x float>, ptr %v45, align 4
  %v47 = getelementptr inbounds float, ptr %v3, i64 %v44
  %v48 = load <8 x float>, ptr %v47, align 4
  %v49 = fsub <8 x float> %v48, %v46
  %v50 = fmul <8 x float> %v49, %v49
  %v51 = fadd <8 x float> %v32, %v50
  %v52 = add i64 %v30, 16
  %v53 = add i64 %v22, %v52
  %v54 = getelementptr inbounds float, ptr %v1, i64 %v53
  %v55 = load <8 x float>, ptr %v54, align 4
  %v56 = getelementptr inbounds float, ptr %v3, i64 %v53
  %v57 = load <8 x float>, ptr %v56, align 4
  %v58 = fsub <8 x float> %v57, %v55
  %v59 = fmul <8 x float> %v58, %v58
  %v60 = fadd <8 x float> %v33, %v59
  %v61 = add i64 %v30, 24
  %v62 = add i64 %v22, %v61
  %v63 = getelementptr inbounds float, ptr %v1, i64 %v62
  %v64 = load <8 x float>, ptr %v63, align 4
  %v65 = getelementptr inbounds float, ptr %v3, i64 %v62
  %v66 = load <8 x float>, ptr %v65, align 4
  %v67 = fsub <8 x float> %v66, %v64
  %v68 = fmul <8 x float> %v67, %v67
  %v69 = fadd <8 x float> %v34, %v68
  %v70 = add i64 %v30, 32
  %v71 = icmp slt i64 %v70, %v28
  br i1 %v71, label %loop12, label %after13
after13:
  %v72 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v42, %loop12]
  %v73 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v51, %loop12]
  %v74 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v60, %loop12]
  %v75 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v69, %loop12]
  %v76 = phi i64 [0, %loop9], [%v70, %loop12]
  store <8 x float> %v72, ptr %v27, align 32
  store <8 x float> %v73, ptr %v77, align 32
  store <8 x float> %v74, ptr %v78, align 32
  store <8 x float> %v75, ptr %v79, align 32
  %v80 = icmp slt i64 %v76, %v26
  br i1 %v80, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v81 = phi i64 [%v76, %enter14], [%v101, %loop15]
  %v82 = and i64 %v81, 31
  %v83 = sub i64 %v26, %v81
  %v84 = call i64 @llvm.umin.i64(i64 %v83, i64 8)
  %v85 = trunc i64 %v84 to i32
  %v86 = insertelement <8 x i32> poison, i32 %v85, i64 0
  %v87 = shufflevector <8 x i32> %v86, <8 x i32> poison, <8 x i32> zeroinitializer
  %v88 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v87
  %v89 = icmp sge i64 %v83, 8
  %v90 = add i64 %v22, %v81
  %v91 = getelementptr inbounds float, ptr %v1, i64 %v90
  %v92 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v91, i32 4, <8 x i1> %v88, <8 x float> zeroinitializer)
  %v93 = getelementptr inbounds float, ptr %v3, i64 %v90
  %v94 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v93, i32 4, <8 x i1> %v88, <8 x float> zeroinitializer)
  %v95 = fsub <8 x float> %v94, %v92
  %v96 = fmul <8 x float> %v95, %v95
  %v97 = getelementptr inbounds float, ptr %v27, i64 %v82
  %v98 = load <8 x float>, ptr %v97, align 32
  %v99 = fadd <8 x float> %v98, %v96
  %v100 = select <8 x i1> %v88, <8 x float> %v99, <8 x float> %v98
  store <8 x float> %v100, ptr %v97, align 32
  %v101 = add i64 %v81, 8
  %v102 = icmp slt i64 %v101, %v26
  br i1 %v102, label %loop15, label %after16
after16:
  %v103 = phi i64 [%v76, %after13], [%v101, %loop15]
  %v104 = load <8 x float>, ptr %v27, align 32
  %v105 = load <8 x float>, ptr %v77, align 32
  %v106 = load <8 x float>, ptr %v78, align 32
  %v107 = load <8 x float>, ptr %v79, align 32
  %v108 = fadd <8 x float> %v104, %v106
  %v109 = fadd <8 x float> %v105, %v107
  %v110 = fadd <8 x float> %v108, %v109
  %v111 = shufflevector <8 x float> %v110, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v112 = shufflevector <8 x float> %v110, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v113 = fadd <4 x float> %v111, %v112
  %v114 = shufflevector <4 x float> %v113, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v115 = shufflevector <4 x float> %v113, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v116 = fadd <2 x float> %v114, %v115
  %v117 = extractelement <2 x float> %v116, i64 0
  %v118 = extractelement <2 x float> %v116, i64 1
  %v119 = fadd float %v117, %v118
  %v120 = fadd float %v23, %v119
  %v121 = icmp slt i64 %v24, %v18
  br i1 %v121, label %loop9, label %after10
after10:
  %v122 = phi float [0x0000000000000000, %loop6], [%v120, %after16]
  %v123 = phi i64 [%v16, %loop6], [%v24, %after16]
  store float %v122, ptr %v124, align 4
  %v125 = add i64 %v20, 1
  %v126 = icmp slt i64 %v125, %v15
  br i1 %v126, label %loop6, label %after7
after7:
  %v127 = phi i64 [%v13, %group2], [%v125, %after10]
  br label %next4
next4:
  %v128 = add i64 %v11, 1
  %v129 = icmp slt i64 %v128, %end
  br i1 %v129, label %group2, label %finished3
finished3:
  ret void
}

target triple = "x86_64-unknown-linux-gnu"
define void @sum(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v21 = alloca [32 x float], align 64
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load i64, ptr %v4, align 8
  %v6 = getelementptr inbounds i64, ptr %slots, i64 3
  %v7 = load i64, ptr %v6, align 8
  %v8 = icmp slt i64 %begin, %end
  br i1 %v8, label %groups1, label %finished3
groups1:
  %v15 = icmp slt i64 0, %v7
  %v55 = getelementptr inbounds float, ptr %v21, i64 8
  %v56 = getelementptr inbounds float, ptr %v21, i64 16
  %v57 = getelementptr inbounds float, ptr %v21, i64 24
  br label %group2
group2:
  %v9 = phi i64 [%begin, %groups1], [%v101, %next4]
  %v10 = mul i64 %v5, %v9
  %v11 = add i64 %v10, %v5
  %v12 = call i64 @llvm.smin.i64(i64 %v11, i64 1)
  %v13 = icmp slt i64 %v10, %v12
  br i1 %v13, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v14 = phi i64 [%v10, %enter5], [%v98, %after10]
  br i1 %v15, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v16 = phi i64 [0, %enter8], [%v18, %after16]
  %v17 = phi float [0x0000000000000000, %enter8], [%v94, %after16]
  %v18 = add i64 %v16, 4096
  %v19 = call i64 @llvm.smin.i64(i64 %v18, i64 %v7)
  %v20 = sub i64 %v19, %v16
  %v22 = sub i64 %v20, 31
  %v23 = icmp slt i64 0, %v22
  br i1 %v23, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v24 = phi i64 [0, %enter11], [%v48, %loop12]
  %v25 = phi <8 x float> [splat (float 0x0000000000000000), %enter11], [%v32, %loop12]
  %v26 = phi <8 x float> [splat (float 0x0000000000000000), %enter11], [%v37, %loop12]
  %v27 = phi <8 x float> [splat (float 0x0000000000000000), %enter11], [%v42, %loop12]
  %v28 = phi <8 x float> [splat (float 0x0000000000000000), %enter11], [%v47, %loop12]
  %v29 = add i64 %v16, %v24
  %v30 = getelementptr inbounds float, ptr %v1, i64 %v29
  %v31 = load <8 x float>, ptr %v30, align 4
  %v32 = fadd <8 x float> %v25, %v31
  %v33 = add i64 %v24, 8
  %v34 = add i64 %v16, %v33
  %v35 = getelementptr inbounds float, ptr %v1, i64 %v34
  %v36 = load <8 x float>, ptr %v35, align 4
  %v37 = fadd <8 x float> %v26, %v36
  %v38 = add i64 %v24, 16
  %v39 = add i64 %v16, %v38
  %v40 = getelementptr inbounds float, ptr %v1, i64 %v39
  %v41 = load <8 x float>, ptr %v40, align 4
  %v42 = fadd <8 x float> %v27, %v41
  %v43 = add i64 %v24, 24
  %v44 = add i64 %v16, %v43
  %v45 = getelementptr inbounds float, ptr %v1, i64 %v44
  %v46 = load <8 x float>, ptr %v45, align 4
  %v47 = fadd <8 x float> %v28, %v46
  %v48 = add i64 %v24, 32
  %v49 = icmp slt i64 %v48, %v22
  br i1 %v49, label %loop12, label %after13
after13:
  %v50 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v32, %loop12]
  %v51 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v37, %loop12]
  %v52 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v42, %loop12]
  %v53 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v47, %loop12]
  %v54 = phi i64 [0, %loop9], [%v48, %loop12]
  store <8 x float> %v50, ptr %v21, align 32
  store <8 x float> %v51, ptr %v55, align 32
  store <8 x float> %v52, ptr %v56, align 32
  store <8 x float> %v53, ptr %v57, align 32
  %v58 = icmp slt i64 %v54, %v20
  br i1 %v58, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v59 = phi i64 [%v54, %enter14], [%v75, %loop15]
  %v60 = and i64 %v59, 31
  %v61 = sub i64 %v20, %v59
  %v62 = call i64 @llvm.umin.i64(i64 %v61, i64 8)
  %v63 = trunc i64 %v62 to i32
  %v64 = insertelement <8 x i32> poison, i32 %v63, i64 0
  %v65 = shufflevector <8 x i32> %v64, <8 x i32> poison, <8 x i32> zeroinitializer
  %v66 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v65
  %v67 = icmp sge i64 %v61, 8
  %v68 = add i64 %v16, %v59
  %v69 = getelementptr inbounds float, ptr %v1, i64 %v68
  %v70 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v69, i32 4, <8 x i1> %v66, <8 x float> zeroinitializer)
  %v71 = getelementptr inbounds float, ptr %v21, i64 %v60
  %v72 = load <8 x float>, ptr %v71, align 32
  %v73 = fadd <8 x float> %v72, %v70
  %v74 = select <8 x i1> %v66, <8 x float> %v73, <8 x float> %v72
  store <8 x float> %v74, ptr %v71, align 32
  %v75 = add i64 %v59, 8
  %v76 = icmp slt i64 %v75, %v20
  br i1 %v76, label %loop15, label %after16
after16:
  %v77 = phi i64 [%v54, %after13], [%v75, %loop15]
  %v78 = load <8 x float>, ptr %v21, align 32
  %v79 = load <8 x float>, ptr %v55, align 32
  %v80 = load <8 x float>, ptr %v56, align 32
  %v81 = load <8 x float>, ptr %v57, align 32
  %v82 = fadd <8 x float> %v78, %v80
  %v83 = fadd <8 x float> %v79, %v81
  %v84 = fadd <8 x float> %v82, %v83
  %v85 = shufflevector <8 x float> %v84, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v86 = shufflevector <8 x float> %v84, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v87 = fadd <4 x float> %v85, %v86
  %v88 = shufflevector <4 x float> %v87, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v89 = shufflevector <4 x float> %v87, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v90 = fadd <2 x float> %v88, %v89
  %v91 = extractelement <2 x float> %v90, i64 0
  %v92 = extractelement <2 x float> %v90, i64 1
  %v93 = fadd float %v91, %v92
  %v94 = fadd float %v17, %v93
  %v95 = icmp slt i64 %v18, %v7
  br i1 %v95, label %loop9, label %after10
after10:
  %v96 = phi float [0x0000000000000000, %loop6], [%v94, %after16]
  %v97 = phi i64 [0, %loop6], [%v18, %after16]
  store float %v96, ptr %v3, align 4
  %v98 = add i64 %v14, 1
  %v99 = icmp slt i64 %v98, %v12
  br i1 %v99, label %loop6, label %after7
after7:
  %v100 = phi i64 [%v10, %group2], [%v98, %after10]
  br label %next4
next4:
  %v101 = add i64 %v9, 1
  %v102 = icmp slt i64 %v101, %end
  br i1 %v102, label %group2, label %finished3
finished3:
  ret void
}
