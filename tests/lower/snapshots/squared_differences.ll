target triple = "x86_64-unknown-linux-gnu"
define void @sum(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v84 = alloca [32 x float], align 64
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
  %v85 = getelementptr inbounds float, ptr %v84, i64 8
  %v86 = getelementptr inbounds float, ptr %v84, i64 16
  %v87 = getelementptr inbounds float, ptr %v84, i64 24
  br label %group2
group2:
  %v11 = phi i64 [%begin, %groups1], [%v150, %next4]
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
  %v144 = getelementptr inbounds float, ptr %v5, i64 %v12
  br label %loop6
loop6:
  %v20 = phi i64 [%v13, %enter5], [%v146, %after10]
  br i1 %v21, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v22 = phi i64 [%v16, %enter8], [%v139, %after13]
  %v23 = phi float [0x0000000000000000, %enter8], [%v137, %after13]
  %v24 = add i64 %v22, 16384
  %v25 = call i64 @llvm.smin.i64(i64 %v24, i64 %v18)
  %v26 = icmp slt i64 %v22, %v25
  br i1 %v26, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v27 = phi i64 [%v22, %enter11], [%v133, %after19]
  %v28 = phi float [0x0000000000000000, %enter11], [%v131, %after19]
  %v29 = add i64 %v27, 512
  %v30 = call i64 @llvm.smin.i64(i64 %v29, i64 %v25)
  %v31 = sub i64 %v30, %v27
  %v32 = sub i64 %v31, 31
  %v33 = icmp slt i64 0, %v32
  br i1 %v33, label %enter14, label %after16
enter14:
  %v40 = getelementptr float, ptr %v1, i64 %v27
  %v43 = getelementptr float, ptr %v3, i64 %v27
  br label %loop15
loop15:
  %v34 = phi i64 [0, %enter14], [%v77, %loop15]
  %v35 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v48, %loop15]
  %v36 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v57, %loop15]
  %v37 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v66, %loop15]
  %v38 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v75, %loop15]
  %v39 = add i64 %v27, %v34
  %v41 = getelementptr float, ptr %v40, i64 %v34
  %v42 = load <8 x float>, ptr %v41, align 4
  %v44 = getelementptr float, ptr %v43, i64 %v34
  %v45 = load <8 x float>, ptr %v44, align 4
  %v46 = fsub <8 x float> %v45, %v42
  %v47 = fmul <8 x float> %v46, %v46
  %v48 = fadd <8 x float> %v35, %v47
  %v49 = add i64 %v34, 8
  %v50 = add i64 %v27, %v49
  %v51 = getelementptr float, ptr %v40, i64 %v49
  %v52 = load <8 x float>, ptr %v51, align 4
  %v53 = getelementptr float, ptr %v43, i64 %v49
  %v54 = load <8 x float>, ptr %v53, align 4
  %v55 = fsub <8 x float> %v54, %v52
  %v56 = fmul <8 x float> %v55, %v55
  %v57 = fadd <8 x float> %v36, %v56
  %v58 = add i64 %v34, 16
  %v59 = add i64 %v27, %v58
  %v60 = getelementptr float, ptr %v40, i64 %v58
  %v61 = load <8 x float>, ptr %v60, align 4
  %v62 = getelementptr float, ptr %v43, i64 %v58
  %v63 = load <8 x float>, ptr %v62, align 4
  %v64 = fsub <8 x float> %v63, %v61
  %v65 = fmul <8 x float> %v64, %v64
  %v66 = fadd <8 x float> %v37, %v65
  %v67 = add i64 %v34, 24
  %v68 = add i64 %v27, %v67
  %v69 = getelementptr float, ptr %v40, i64 %v67
  %v70 = load <8 x float>, ptr %v69, align 4
  %v71 = getelementptr float, ptr %v43, i64 %v67
  %v72 = load <8 x float>, ptr %v71, align 4
  %v73 = fsub <8 x float> %v72, %v70
  %v74 = fmul <8 x float> %v73, %v73
  %v75 = fadd <8 x float> %v38, %v74
  %v76 = add i64 %v34, 32
  %v77 = call i64 @llvm.fshl.i64(i64 %v76, i64 %v76, i64 0)
  %v78 = icmp slt i64 %v77, %v32
  br i1 %v78, label %loop15, label %after16
after16:
  %v79 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v48, %loop15]
  %v80 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v57, %loop15]
  %v81 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v66, %loop15]
  %v82 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v75, %loop15]
  %v83 = phi i64 [0, %loop12], [%v77, %loop15]
  store <8 x float> %v79, ptr %v84, align 32
  store <8 x float> %v80, ptr %v85, align 32
  store <8 x float> %v81, ptr %v86, align 32
  store <8 x float> %v82, ptr %v87, align 32
  %v88 = icmp slt i64 %v83, %v31
  br i1 %v88, label %enter17, label %after19
enter17:
  %v101 = getelementptr float, ptr %v1, i64 %v27
  %v104 = getelementptr float, ptr %v3, i64 %v27
  br label %loop18
loop18:
  %v89 = phi i64 [%v83, %enter17], [%v112, %loop18]
  %v90 = and i64 %v89, 31
  %v91 = getelementptr inbounds float, ptr %v84, i64 %v90
  %v92 = load <8 x float>, ptr %v91, align 32
  %v93 = sub i64 %v31, %v89
  %v94 = call i64 @llvm.umin.i64(i64 %v93, i64 8)
  %v95 = icmp sge i64 %v93, 8
  %v96 = trunc i64 %v94 to i32
  %v97 = insertelement <8 x i32> poison, i32 %v96, i64 0
  %v98 = shufflevector <8 x i32> %v97, <8 x i32> poison, <8 x i32> zeroinitializer
  %v99 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v98
  %v100 = add i64 %v27, %v89
  %v102 = getelementptr float, ptr %v101, i64 %v89
  %v103 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v102, i32 4, <8 x i1> %v99, <8 x float> zeroinitializer)
  %v105 = getelementptr float, ptr %v104, i64 %v89
  %v106 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v105, i32 4, <8 x i1> %v99, <8 x float> zeroinitializer)
  %v107 = fsub <8 x float> %v106, %v103
  %v108 = fmul <8 x float> %v107, %v107
  %v109 = fadd <8 x float> %v92, %v108
  %v110 = select <8 x i1> %v99, <8 x float> %v109, <8 x float> %v92
  store <8 x float> %v110, ptr %v91, align 32
  %v111 = add i64 %v89, 8
  %v112 = call i64 @llvm.fshl.i64(i64 %v111, i64 %v111, i64 0)
  %v113 = icmp slt i64 %v112, %v31
  br i1 %v113, label %loop18, label %after19
after19:
  %v114 = phi i64 [%v83, %after16], [%v112, %loop18]
  %v115 = load <8 x float>, ptr %v84, align 32
  %v116 = load <8 x float>, ptr %v85, align 32
  %v117 = load <8 x float>, ptr %v86, align 32
  %v118 = load <8 x float>, ptr %v87, align 32
  %v119 = fadd <8 x float> %v115, %v117
  %v120 = fadd <8 x float> %v116, %v118
  %v121 = fadd <8 x float> %v119, %v120
  %v122 = shufflevector <8 x float> %v121, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v123 = shufflevector <8 x float> %v121, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v124 = fadd <4 x float> %v122, %v123
  %v125 = shufflevector <4 x float> %v124, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v126 = shufflevector <4 x float> %v124, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v127 = fadd <2 x float> %v125, %v126
  %v128 = extractelement <2 x float> %v127, i64 0
  %v129 = extractelement <2 x float> %v127, i64 1
  %v130 = fadd float %v128, %v129
  %v131 = fadd float %v28, %v130
  %v132 = add i64 %v27, 512
  %v133 = call i64 @llvm.fshl.i64(i64 %v132, i64 %v132, i64 0)
  %v134 = icmp slt i64 %v133, %v25
  br i1 %v134, label %loop12, label %after13
after13:
  %v135 = phi float [0x0000000000000000, %loop9], [%v131, %after19]
  %v136 = phi i64 [%v22, %loop9], [%v133, %after19]
  %v137 = fadd float %v23, %v135
  %v138 = add i64 %v22, 16384
  %v139 = call i64 @llvm.fshl.i64(i64 %v138, i64 %v138, i64 0)
  %v140 = icmp slt i64 %v139, %v18
  br i1 %v140, label %loop9, label %after10
after10:
  %v141 = phi float [0x0000000000000000, %loop6], [%v137, %after13]
  %v142 = phi i64 [%v16, %loop6], [%v139, %after13]
  %v143 = fadd float 0x0000000000000000, %v141
  store float %v143, ptr %v144, align 4
  %v145 = add i64 %v20, 1
  %v146 = call i64 @llvm.fshl.i64(i64 %v145, i64 %v145, i64 0)
  %v147 = icmp slt i64 %v146, %v15
  br i1 %v147, label %loop6, label %after7
after7:
  %v148 = phi i64 [%v13, %group2], [%v146, %after10]
  br label %next4
next4:
  %v149 = add i64 %v11, 1
  %v150 = call i64 @llvm.fshl.i64(i64 %v149, i64 %v149, i64 0)
  %v151 = icmp slt i64 %v150, %end
  br i1 %v151, label %group2, label %finished3
finished3:
  ret void
}

target triple = "x86_64-unknown-linux-gnu"
define void @sum(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v61 = alloca [32 x float], align 64
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
  %v62 = getelementptr inbounds float, ptr %v61, i64 8
  %v63 = getelementptr inbounds float, ptr %v61, i64 16
  %v64 = getelementptr inbounds float, ptr %v61, i64 24
  br label %group2
group2:
  %v9 = phi i64 [%begin, %groups1], [%v121, %next4]
  %v10 = mul i64 %v5, %v9
  %v11 = add i64 %v10, %v5
  %v12 = call i64 @llvm.smin.i64(i64 %v11, i64 1)
  %v13 = icmp slt i64 %v10, %v12
  br i1 %v13, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v14 = phi i64 [%v10, %enter5], [%v117, %after10]
  br i1 %v15, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v16 = phi i64 [0, %enter8], [%v111, %after13]
  %v17 = phi float [0x0000000000000000, %enter8], [%v109, %after13]
  %v18 = add i64 %v16, 16384
  %v19 = call i64 @llvm.smin.i64(i64 %v18, i64 %v7)
  %v20 = icmp slt i64 %v16, %v19
  br i1 %v20, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v21 = phi i64 [%v16, %enter11], [%v105, %after19]
  %v22 = phi float [0x0000000000000000, %enter11], [%v103, %after19]
  %v23 = add i64 %v21, 512
  %v24 = call i64 @llvm.smin.i64(i64 %v23, i64 %v19)
  %v25 = sub i64 %v24, %v21
  %v26 = sub i64 %v25, 31
  %v27 = icmp slt i64 0, %v26
  br i1 %v27, label %enter14, label %after16
enter14:
  %v34 = getelementptr float, ptr %v1, i64 %v21
  br label %loop15
loop15:
  %v28 = phi i64 [0, %enter14], [%v54, %loop15]
  %v29 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v37, %loop15]
  %v30 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v42, %loop15]
  %v31 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v47, %loop15]
  %v32 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v52, %loop15]
  %v33 = add i64 %v21, %v28
  %v35 = getelementptr float, ptr %v34, i64 %v28
  %v36 = load <8 x float>, ptr %v35, align 4
  %v37 = fadd <8 x float> %v29, %v36
  %v38 = add i64 %v28, 8
  %v39 = add i64 %v21, %v38
  %v40 = getelementptr float, ptr %v34, i64 %v38
  %v41 = load <8 x float>, ptr %v40, align 4
  %v42 = fadd <8 x float> %v30, %v41
  %v43 = add i64 %v28, 16
  %v44 = add i64 %v21, %v43
  %v45 = getelementptr float, ptr %v34, i64 %v43
  %v46 = load <8 x float>, ptr %v45, align 4
  %v47 = fadd <8 x float> %v31, %v46
  %v48 = add i64 %v28, 24
  %v49 = add i64 %v21, %v48
  %v50 = getelementptr float, ptr %v34, i64 %v48
  %v51 = load <8 x float>, ptr %v50, align 4
  %v52 = fadd <8 x float> %v32, %v51
  %v53 = add i64 %v28, 32
  %v54 = call i64 @llvm.fshl.i64(i64 %v53, i64 %v53, i64 0)
  %v55 = icmp slt i64 %v54, %v26
  br i1 %v55, label %loop15, label %after16
after16:
  %v56 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v37, %loop15]
  %v57 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v42, %loop15]
  %v58 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v47, %loop15]
  %v59 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v52, %loop15]
  %v60 = phi i64 [0, %loop12], [%v54, %loop15]
  store <8 x float> %v56, ptr %v61, align 32
  store <8 x float> %v57, ptr %v62, align 32
  store <8 x float> %v58, ptr %v63, align 32
  store <8 x float> %v59, ptr %v64, align 32
  %v65 = icmp slt i64 %v60, %v25
  br i1 %v65, label %enter17, label %after19
enter17:
  %v78 = getelementptr float, ptr %v1, i64 %v21
  br label %loop18
loop18:
  %v66 = phi i64 [%v60, %enter17], [%v84, %loop18]
  %v67 = and i64 %v66, 31
  %v68 = getelementptr inbounds float, ptr %v61, i64 %v67
  %v69 = load <8 x float>, ptr %v68, align 32
  %v70 = sub i64 %v25, %v66
  %v71 = call i64 @llvm.umin.i64(i64 %v70, i64 8)
  %v72 = icmp sge i64 %v70, 8
  %v73 = trunc i64 %v71 to i32
  %v74 = insertelement <8 x i32> poison, i32 %v73, i64 0
  %v75 = shufflevector <8 x i32> %v74, <8 x i32> poison, <8 x i32> zeroinitializer
  %v76 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v75
  %v77 = add i64 %v21, %v66
  %v79 = getelementptr float, ptr %v78, i64 %v66
  %v80 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v79, i32 4, <8 x i1> %v76, <8 x float> zeroinitializer)
  %v81 = fadd <8 x float> %v69, %v80
  %v82 = select <8 x i1> %v76, <8 x float> %v81, <8 x float> %v69
  store <8 x float> %v82, ptr %v68, align 32
  %v83 = add i64 %v66, 8
  %v84 = call i64 @llvm.fshl.i64(i64 %v83, i64 %v83, i64 0)
  %v85 = icmp slt i64 %v84, %v25
  br i1 %v85, label %loop18, label %after19
after19:
  %v86 = phi i64 [%v60, %after16], [%v84, %loop18]
  %v87 = load <8 x float>, ptr %v61, align 32
  %v88 = load <8 x float>, ptr %v62, align 32
  %v89 = load <8 x float>, ptr %v63, align 32
  %v90 = load <8 x float>, ptr %v64, align 32
  %v91 = fadd <8 x float> %v87, %v89
  %v92 = fadd <8 x float> %v88, %v90
  %v93 = fadd <8 x float> %v91, %v92
  %v94 = shufflevector <8 x float> %v93, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v95 = shufflevector <8 x float> %v93, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v96 = fadd <4 x float> %v94, %v95
  %v97 = shufflevector <4 x float> %v96, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v98 = shufflevector <4 x float> %v96, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v99 = fadd <2 x float> %v97, %v98
  %v100 = extractelement <2 x float> %v99, i64 0
  %v101 = extractelement <2 x float> %v99, i64 1
  %v102 = fadd float %v100, %v101
  %v103 = fadd float %v22, %v102
  %v104 = add i64 %v21, 512
  %v105 = call i64 @llvm.fshl.i64(i64 %v104, i64 %v104, i64 0)
  %v106 = icmp slt i64 %v105, %v19
  br i1 %v106, label %loop12, label %after13
after13:
  %v107 = phi float [0x0000000000000000, %loop9], [%v103, %after19]
  %v108 = phi i64 [%v16, %loop9], [%v105, %after19]
  %v109 = fadd float %v17, %v107
  %v110 = add i64 %v16, 16384
  %v111 = call i64 @llvm.fshl.i64(i64 %v110, i64 %v110, i64 0)
  %v112 = icmp slt i64 %v111, %v7
  br i1 %v112, label %loop9, label %after10
after10:
  %v113 = phi float [0x0000000000000000, %loop6], [%v109, %after13]
  %v114 = phi i64 [0, %loop6], [%v111, %after13]
  %v115 = fadd float 0x0000000000000000, %v113
  store float %v115, ptr %v3, align 4
  %v116 = add i64 %v14, 1
  %v117 = call i64 @llvm.fshl.i64(i64 %v116, i64 %v116, i64 0)
  %v118 = icmp slt i64 %v117, %v12
  br i1 %v118, label %loop6, label %after7
after7:
  %v119 = phi i64 [%v10, %group2], [%v117, %after10]
  br label %next4
next4:
  %v120 = add i64 %v9, 1
  %v121 = call i64 @llvm.fshl.i64(i64 %v120, i64 %v120, i64 0)
  %v122 = icmp slt i64 %v121, %end
  br i1 %v122, label %group2, label %finished3
finished3:
  ret void
}
