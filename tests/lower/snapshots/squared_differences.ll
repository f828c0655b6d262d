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
  %v78 = getelementptr inbounds float, ptr %v27, i64 8
  %v79 = getelementptr inbounds float, ptr %v27, i64 16
  %v80 = getelementptr inbounds float, ptr %v27, i64 24
  br label %group2
group2:
  %v11 = phi i64 [%begin, %groups1], [%v134, %next4]
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
  %v128 = getelementptr inbounds float, ptr %v5, i64 %v12
  br label %loop6
loop6:
  %v20 = phi i64 [%v13, %enter5], [%v130, %after10]
  br i1 %v21, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v22 = phi i64 [%v16, %enter8], [%v124, %after16]
  %v23 = phi float [0x0000000000000000, %enter8], [%v122, %after16]
  %v24 = add i64 %v22, 4096
  %v25 = call i64 @llvm.smin.i64(i64 %v24, i64 %v18)
  %v26 = sub i64 %v25, %v22
  %v28 = sub i64 %v26, 31
  %v29 = icmp slt i64 0, %v28
  br i1 %v29, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v30 = phi i64 [0, %enter11], [%v71, %loop12]
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
  %v71 = call i64 @llvm.fshl.i64(i64 %v70, i64 %v70, i64 0)
  %v72 = icmp slt i64 %v71, %v28
  br i1 %v72, label %loop12, label %after13
after13:
  %v73 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v42, %loop12]
  %v74 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v51, %loop12]
  %v75 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v60, %loop12]
  %v76 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v69, %loop12]
  %v77 = phi i64 [0, %loop9], [%v71, %loop12]
  store <8 x float> %v73, ptr %v27, align 32
  store <8 x float> %v74, ptr %v78, align 32
  store <8 x float> %v75, ptr %v79, align 32
  store <8 x float> %v76, ptr %v80, align 32
  %v81 = icmp slt i64 %v77, %v26
  br i1 %v81, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v82 = phi i64 [%v77, %enter14], [%v103, %loop15]
  %v83 = and i64 %v82, 31
  %v84 = sub i64 %v26, %v82
  %v85 = call i64 @llvm.umin.i64(i64 %v84, i64 8)
  %v86 = trunc i64 %v85 to i32
  %v87 = insertelement <8 x i32> poison, i32 %v86, i64 0
  %v88 = shufflevector <8 x i32> %v87, <8 x i32> poison, <8 x i32> zeroinitializer
  %v89 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v88
  %v90 = icmp sge i64 %v84, 8
  %v91 = add i64 %v22, %v82
  %v92 = getelementptr inbounds float, ptr %v1, i64 %v91
  %v93 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v92, i32 4, <8 x i1> %v89, <8 x float> zeroinitializer)
  %v94 = getelementptr inbounds float, ptr %v3, i64 %v91
  %v95 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v94, i32 4, <8 x i1> %v89, <8 x float> zeroinitializer)
  %v96 = fsub <8 x float> %v95, %v93
  %v97 = fmul <8 x float> %v96, %v96
  %v98 = getelementptr inbounds float, ptr %v27, i64 %v83
  %v99 = load <8 x float>, ptr %v98, align 32
  %v100 = fadd <8 x float> %v99, %v97
  %v101 = select <8 x i1> %v89, <8 x float> %v100, <8 x float> %v99
  store <8 x float> %v101, ptr %v98, align 32
  %v102 = add i64 %v82, 8
  %v103 = call i64 @llvm.fshl.i64(i64 %v102, i64 %v102, i64 0)
  %v104 = icmp slt i64 %v103, %v26
  br i1 %v104, label %loop15, label %after16
after16:
  %v105 = phi i64 [%v77, %after13], [%v103, %loop15]
  %v106 = load <8 x float>, ptr %v27, align 32
  %v107 = load <8 x float>, ptr %v78, align 32
  %v108 = load <8 x float>, ptr %v79, align 32
  %v109 = load <8 x float>, ptr %v80, align 32
  %v110 = fadd <8 x float> %v106, %v108
  %v111 = fadd <8 x float> %v107, %v109
  %v112 = fadd <8 x float> %v110, %v111
  %v113 = shufflevector <8 x float> %v112, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v114 = shufflevector <8 x float> %v112, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v115 = fadd <4 x float> %v113, %v114
  %v116 = shufflevector <4 x float> %v115, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v117 = shufflevector <4 x float> %v115, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v118 = fadd <2 x float> %v116, %v117
  %v119 = extractelement <2 x float> %v118, i64 0
  %v120 = extractelement <2 x float> %v118, i64 1
  %v121 = fadd float %v119, %v120
  %v122 = fadd float %v23, %v121
  %v123 = add i64 %v22, 4096
  %v124 = call i64 @llvm.fshl.i64(i64 %v123, i64 %v123, i64 0)
  %v125 = icmp slt i64 %v124, %v18
  br i1 %v125, label %loop9, label %after10
after10:
  %v126 = phi float [0x0000000000000000, %loop6], [%v122, %after16]
  %v127 = phi i64 [%v16, %loop6], [%v124, %after16]
  store float %v126, ptr %v128, align 4
  %v129 = add i64 %v20, 1
  %v130 = call i64 @llvm.fshl.i64(i64 %v129, i64 %v129, i64 0)
  %v131 = icmp slt i64 %v130, %v15
  br i1 %v131, label %loop6, label %after7
after7:
  %v132 = phi i64 [%v13, %group2], [%v130, %after10]
  br label %next4
next4:
  %v133 = add i64 %v11, 1
  %v134 = call i64 @llvm.fshl.i64(i64 %v133, i64 %v133, i64 0)
  %v135 = icmp slt i64 %v134, %end
  br i1 %v135, label %group2, label %finished3
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
  %v56 = getelementptr inbounds float, ptr %v21, i64 8
  %v57 = getelementptr inbounds float, ptr %v21, i64 16
  %v58 = getelementptr inbounds float, ptr %v21, i64 24
  br label %group2
group2:
  %v9 = phi i64 [%begin, %groups1], [%v107, %next4]
  %v10 = mul i64 %v5, %v9
  %v11 = add i64 %v10, %v5
  %v12 = call i64 @llvm.smin.i64(i64 %v11, i64 1)
  %v13 = icmp slt i64 %v10, %v12
  br i1 %v13, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v14 = phi i64 [%v10, %enter5], [%v103, %after10]
  br i1 %v15, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v16 = phi i64 [0, %enter8], [%v98, %after16]
  %v17 = phi float [0x0000000000000000, %enter8], [%v96, %after16]
  %v18 = add i64 %v16, 4096
  %v19 = call i64 @llvm.smin.i64(i64 %v18, i64 %v7)
  %v20 = sub i64 %v19, %v16
  %v22 = sub i64 %v20, 31
  %v23 = icmp slt i64 0, %v22
  br i1 %v23, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v24 = phi i64 [0, %enter11], [%v49, %loop12]
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
  %v49 = call i64 @llvm.fshl.i64(i64 %v48, i64 %v48, i64 0)
  %v50 = icmp slt i64 %v49, %v22
  br i1 %v50, label %loop12, label %after13
after13:
  %v51 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v32, %loop12]
  %v52 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v37, %loop12]
  %v53 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v42, %loop12]
  %v54 = phi <8 x float> [splat (float 0x0000000000000000), %loop9], [%v47, %loop12]
  %v55 = phi i64 [0, %loop9], [%v49, %loop12]
  store <8 x float> %v51, ptr %v21, align 32
  store <8 x float> %v52, ptr %v56, align 32
  store <8 x float> %v53, ptr %v57, align 32
  store <8 x float> %v54, ptr %v58, align 32
  %v59 = icmp slt i64 %v55, %v20
  br i1 %v59, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v60 = phi i64 [%v55, %enter14], [%v77, %loop15]
  %v61 = and i64 %v60, 31
  %v62 = sub i64 %v20, %v60
  %v63 = call i64 @llvm.umin.i64(i64 %v62, i64 8)
  %v64 = trunc i64 %v63 to i32
  %v65 = insertelement <8 x i32> poison, i32 %v64, i64 0
  %v66 = shufflevector <8 x i32> %v65, <8 x i32> poison, <8 x i32> zeroinitializer
  %v67 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v66
  %v68 = icmp sge i64 %v62, 8
  %v69 = add i64 %v16, %v60
  %v70 = getelementptr inbounds float, ptr %v1, i64 %v69
  %v71 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v70, i32 4, <8 x i1> %v67, <8 x float> zeroinitializer)
  %v72 = getelementptr inbounds float, ptr %v21, i64 %v61
  %v73 = load <8 x float>, ptr %v72, align 32
  %v74 = fadd <8 x float> %v73, %v71
  %v75 = select <8 x i1> %v67, <8 x float> %v74, <8 x float> %v73
  store <8 x float> %v75, ptr %v72, align 32
  %v76 = add i64 %v60, 8
  %v77 = call i64 @llvm.fshl.i64(i64 %v76, i64 %v76, i64 0)
  %v78 = icmp slt i64 %v77, %v20
  br i1 %v78, label %loop15, label %after16
after16:
  %v79 = phi i64 [%v55, %after13], [%v77, %loop15]
  %v80 = load <8 x float>, ptr %v21, align 32
  %v81 = load <8 x float>, ptr %v56, align 32
  %v82 = load <8 x float>, ptr %v57, align 32
  %v83 = load <8 x float>, ptr %v58, align 32
  %v84 = fadd <8 x float> %v80, %v82
  %v85 = fadd <8 x float> %v81, %v83
  %v86 = fadd <8 x float> %v84, %v85
  %v87 = shufflevector <8 x float> %v86, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v88 = shufflevector <8 x float> %v86, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v89 = fadd <4 x float> %v87, %v88
  %v90 = shufflevector <4 x float> %v89, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v91 = shufflevector <4 x float> %v89, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v92 = fadd <2 x float> %v90, %v91
  %v93 = extractelement <2 x float> %v92, i64 0
  %v94 = extractelement <2 x float> %v92, i64 1
  %v95 = fadd float %v93, %v94
  %v96 = fadd float %v17, %v95
  %v97 = add i64 %v16, 4096
  %v98 = call i64 @llvm.fshl.i64(i64 %v97, i64 %v97, i64 0)
  %v99 = icmp slt i64 %v98, %v7
  br i1 %v99, label %loop9, label %after10
after10:
  %v100 = phi float [0x0000000000000000, %loop6], [%v96, %after16]
  %v101 = phi i64 [0, %loop6], [%v98, %after16]
  store float %v100, ptr %v3, align 4
  %v102 = add i64 %v14, 1
  %v103 = call i64 @llvm.fshl.i64(i64 %v102, i64 %v102, i64 0)
  %v104 = icmp slt i64 %v103, %v12
  br i1 %v104, label %loop6, label %after7
after7:
  %v105 = phi i64 [%v10, %group2], [%v103, %after10]
  br label %next4
next4:
  %v106 = add i64 %v9, 1
  %v107 = call i64 @llvm.fshl.i64(i64 %v106, i64 %v106, i64 0)
  %v108 = icmp slt i64 %v107, %end
  br i1 %v108, label %group2, label %finished3
finished3:
  ret void
}
