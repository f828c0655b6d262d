target triple = "x86_64-unknown-linux-gnu"
define void @sum(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v82 = alloca [32 x float], align 64
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
  %v83 = getelementptr inbounds float, ptr %v82, i64 8
  %v84 = getelementptr inbounds float, ptr %v82, i64 16
  %v85 = getelementptr inbounds float, ptr %v82, i64 24
  br label %group2
group2:
  %v11 = phi i64 [%begin, %groups1], [%v146, %next4]
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
  %v140 = getelementptr inbounds float, ptr %v5, i64 %v12
  br label %loop6
loop6:
  %v20 = phi i64 [%v13, %enter5], [%v142, %after10]
  br i1 %v21, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v22 = phi i64 [%v16, %enter8], [%v135, %after13]
  %v23 = phi float [0x0000000000000000, %enter8], [%v133, %after13]
  %v24 = add i64 %v22, 16384
  %v25 = call i64 @llvm.smin.i64(i64 %v24, i64 %v18)
  %v26 = icmp slt i64 %v22, %v25
  br i1 %v26, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v27 = phi i64 [%v22, %enter11], [%v129, %after19]
  %v28 = phi float [0x0000000000000000, %enter11], [%v127, %after19]
  %v29 = add i64 %v27, 512
  %v30 = call i64 @llvm.smin.i64(i64 %v29, i64 %v25)
  %v31 = sub i64 %v30, %v27
  %v32 = sub i64 %v31, 31
  %v33 = icmp slt i64 0, %v32
  br i1 %v33, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v34 = phi i64 [0, %enter14], [%v75, %loop15]
  %v35 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v46, %loop15]
  %v36 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v55, %loop15]
  %v37 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v64, %loop15]
  %v38 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v73, %loop15]
  %v39 = add i64 %v27, %v34
  %v40 = getelementptr inbounds float, ptr %v1, i64 %v39
  %v41 = load <8 x float>, ptr %v40, align 4
  %v42 = getelementptr inbounds float, ptr %v3, i64 %v39
  %v43 = load <8 x float>, ptr %v42, align 4
  %v44 = fsub <8 x float> %v43, %v41
  %v45 = fmul <8 x float> %v44, %v44
  %v46 = fadd <8 x float> %v35, %v45
  %v47 = add i64 %v34, 8
  %v48 = add i64 %v27, %v47
  %v49 = getelementptr inbounds float, ptr %v1, i64 %v48
  %v50 = load <8 x float>, ptr %v49, align 4
  %v51 = getelementptr inbounds float, ptr %v3, i64 %v48
  %v52 = load <8 x float>, ptr %v51, align 4
  %v53 = fsub <8 x float> %v52, %v50
  %v54 = fmul <8 x float> %v53, %v53
  %v55 = fadd <8 x float> %v36, %v54
  %v56 = add i64 %v34, 16
  %v57 = add i64 %v27, %v56
  %v58 = getelementptr inbounds float, ptr %v1, i64 %v57
  %v59 = load <8 x float>, ptr %v58, align 4
  %v60 = getelementptr inbounds float, ptr %v3, i64 %v57
  %v61 = load <8 x float>, ptr %v60, align 4
  %v62 = fsub <8 x float> %v61, %v59
  %v63 = fmul <8 x float> %v62, %v62
  %v64 = fadd <8 x float> %v37, %v63
  %v65 = add i64 %v34, 24
  %v66 = add i64 %v27, %v65
  %v67 = getelementptr inbounds float, ptr %v1, i64 %v66
  %v68 = load <8 x float>, ptr %v67, align 4
  %v69 = getelementptr inbounds float, ptr %v3, i64 %v66
  %v70 = load <8 x float>, ptr %v69, align 4
  %v71 = fsub <8 x float> %v70, %v68
  %v72 = fmul <8 x float> %v71, %v71
  %v73 = fadd <8 x float> %v38, %v72
  %v74 = add i64 %v34, 32
  %v75 = call i64 @llvm.fshl.i64(i64 %v74, i64 %v74, i64 0)
  %v76 = icmp slt i64 %v75, %v32
  br i1 %v76, label %loop15, label %after16
after16:
  %v77 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v46, %loop15]
  %v78 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v55, %loop15]
  %v79 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v64, %loop15]
  %v80 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v73, %loop15]
  %v81 = phi i64 [0, %loop12], [%v75, %loop15]
  store <8 x float> %v77, ptr %v82, align 32
  store <8 x float> %v78, ptr %v83, align 32
  store <8 x float> %v79, ptr %v84, align 32
  store <8 x float> %v80, ptr %v85, align 32
  %v86 = icmp slt i64 %v81, %v31
  br i1 %v86, label %enter17, label %after19
enter17:
  br label %loop18
loop18:
  %v87 = phi i64 [%v81, %enter17], [%v108, %loop18]
  %v88 = and i64 %v87, 31
  %v89 = getelementptr inbounds float, ptr %v82, i64 %v88
  %v90 = load <8 x float>, ptr %v89, align 32
  %v91 = sub i64 %v31, %v87
  %v92 = call i64 @llvm.umin.i64(i64 %v91, i64 8)
  %v93 = icmp sge i64 %v91, 8
  %v94 = trunc i64 %v92 to i32
  %v95 = insertelement <8 x i32> poison, i32 %v94, i64 0
  %v96 = shufflevector <8 x i32> %v95, <8 x i32> poison, <8 x i32> zeroinitializer
  %v97 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v96
  %v98 = add i64 %v27, %v87
  %v99 = getelementptr inbounds float, ptr %v1, i64 %v98
  %v100 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v99, i32 4, <8 x i1> %v97, <8 x float> zeroinitializer)
  %v101 = getelementptr inbounds float, ptr %v3, i64 %v98
  %v102 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v101, i32 4, <8 x i1> %v97, <8 x float> zeroinitializer)
  %v103 = fsub <8 x float> %v102, %v100
  %v104 = fmul <8 x float> %v103, %v103
  %v105 = fadd <8 x float> %v90, %v104
  %v106 = select <8 x i1> %v97, <8 x float> %v105, <8 x float> %v90
  store <8 x float> %v106, ptr %v89, align 32
  %v107 = add i64 %v87, 8
  %v108 = call i64 @llvm.fshl.i64(i64 %v107, i64 %v107, i64 0)
  %v109 = icmp slt i64 %v108, %v31
  br i1 %v109, label %loop18, label %after19
after19:
  %v110 = phi i64 [%v81, %after16], [%v108, %loop18]
  %v111 = load <8 x float>, ptr %v82, align 32
  %v112 = load <8 x float>, ptr %v83, align 32
  %v113 = load <8 x float>, ptr %v84, align 32
  %v114 = load <8 x float>, ptr %v85, align 32
  %v115 = fadd <8 x float> %v111, %v113
  %v116 = fadd <8 x float> %v112, %v114
  %v117 = fadd <8 x float> %v115, %v116
  %v118 = shufflevector <8 x float> %v117, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v119 = shufflevector <8 x float> %v117, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v120 = fadd <4 x float> %v118, %v119
  %v121 = shufflevector <4 x float> %v120, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v122 = shufflevector <4 x float> %v120, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v123 = fadd <2 x float> %v121, %v122
  %v124 = extractelement <2 x float> %v123, i64 0
  %v125 = extractelement <2 x float> %v123, i64 1
  %v126 = fadd float %v124, %v125
  %v127 = fadd float %v28, %v126
  %v128 = add i64 %v27, 512
  %v129 = call i64 @llvm.fshl.i64(i64 %v128, i64 %v128, i64 0)
  %v130 = icmp slt i64 %v129, %v25
  br i1 %v130, label %loop12, label %after13
after13:
  %v131 = phi float [0x0000000000000000, %loop9], [%v127, %after19]
  %v132 = phi i64 [%v22, %loop9], [%v129, %after19]
  %v133 = fadd float %v23, %v131
  %v134 = add i64 %v22, 16384
  %v135 = call i64 @llvm.fshl.i64(i64 %v134, i64 %v134, i64 0)
  %v136 = icmp slt i64 %v135, %v18
  br i1 %v136, label %loop9, label %after10
after10:
  %v137 = phi float [0x0000000000000000, %loop6], [%v133, %after13]
  %v138 = phi i64 [%v16, %loop6], [%v135, %after13]
  %v139 = fadd float 0x0000000000000000, %v137
  store float %v139, ptr %v140, align 4
  %v141 = add i64 %v20, 1
  %v142 = call i64 @llvm.fshl.i64(i64 %v141, i64 %v141, i64 0)
  %v143 = icmp slt i64 %v142, %v15
  br i1 %v143, label %loop6, label %after7
after7:
  %v144 = phi i64 [%v13, %group2], [%v142, %after10]
  br label %next4
next4:
  %v145 = add i64 %v11, 1
  %v146 = call i64 @llvm.fshl.i64(i64 %v145, i64 %v145, i64 0)
  %v147 = icmp slt i64 %v146, %end
  br i1 %v147, label %group2, label %finished3
finished3:
  ret void
}

target triple = "x86_64-unknown-linux-gnu"
define void @sum(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v60 = alloca [32 x float], align 64
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
  %v61 = getelementptr inbounds float, ptr %v60, i64 8
  %v62 = getelementptr inbounds float, ptr %v60, i64 16
  %v63 = getelementptr inbounds float, ptr %v60, i64 24
  br label %group2
group2:
  %v9 = phi i64 [%begin, %groups1], [%v119, %next4]
  %v10 = mul i64 %v5, %v9
  %v11 = add i64 %v10, %v5
  %v12 = call i64 @llvm.smin.i64(i64 %v11, i64 1)
  %v13 = icmp slt i64 %v10, %v12
  br i1 %v13, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v14 = phi i64 [%v10, %enter5], [%v115, %after10]
  br i1 %v15, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v16 = phi i64 [0, %enter8], [%v109, %after13]
  %v17 = phi float [0x0000000000000000, %enter8], [%v107, %after13]
  %v18 = add i64 %v16, 16384
  %v19 = call i64 @llvm.smin.i64(i64 %v18, i64 %v7)
  %v20 = icmp slt i64 %v16, %v19
  br i1 %v20, label %enter11, label %after13
enter11:
  br label %loop12
loop12:
  %v21 = phi i64 [%v16, %enter11], [%v103, %after19]
  %v22 = phi float [0x0000000000000000, %enter11], [%v101, %after19]
  %v23 = add i64 %v21, 512
  %v24 = call i64 @llvm.smin.i64(i64 %v23, i64 %v19)
  %v25 = sub i64 %v24, %v21
  %v26 = sub i64 %v25, 31
  %v27 = icmp slt i64 0, %v26
  br i1 %v27, label %enter14, label %after16
enter14:
  br label %loop15
loop15:
  %v28 = phi i64 [0, %enter14], [%v53, %loop15]
  %v29 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v36, %loop15]
  %v30 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v41, %loop15]
  %v31 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v46, %loop15]
  %v32 = phi <8 x float> [splat (float 0x0000000000000000), %enter14], [%v51, %loop15]
  %v33 = add i64 %v21, %v28
  %v34 = getelementptr inbounds float, ptr %v1, i64 %v33
  %v35 = load <8 x float>, ptr %v34, align 4
  %v36 = fadd <8 x float> %v29, %v35
  %v37 = add i64 %v28, 8
  %v38 = add i64 %v21, %v37
  %v39 = getelementptr inbounds float, ptr %v1, i64 %v38
  %v40 = load <8 x float>, ptr %v39, align 4
  %v41 = fadd <8 x float> %v30, %v40
  %v42 = add i64 %v28, 16
  %v43 = add i64 %v21, %v42
  %v44 = getelementptr inbounds float, ptr %v1, i64 %v43
  %v45 = load <8 x float>, ptr %v44, align 4
  %v46 = fadd <8 x float> %v31, %v45
  %v47 = add i64 %v28, 24
  %v48 = add i64 %v21, %v47
  %v49 = getelementptr inbounds float, ptr %v1, i64 %v48
  %v50 = load <8 x float>, ptr %v49, align 4
  %v51 = fadd <8 x float> %v32, %v50
  %v52 = add i64 %v28, 32
  %v53 = call i64 @llvm.fshl.i64(i64 %v52, i64 %v52, i64 0)
  %v54 = icmp slt i64 %v53, %v26
  br i1 %v54, label %loop15, label %after16
after16:
  %v55 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v36, %loop15]
  %v56 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v41, %loop15]
  %v57 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v46, %loop15]
  %v58 = phi <8 x float> [splat (float 0x0000000000000000), %loop12], [%v51, %loop15]
  %v59 = phi i64 [0, %loop12], [%v53, %loop15]
  store <8 x float> %v55, ptr %v60, align 32
  store <8 x float> %v56, ptr %v61, align 32
  store <8 x float> %v57, ptr %v62, align 32
  store <8 x float> %v58, ptr %v63, align 32
  %v64 = icmp slt i64 %v59, %v25
  br i1 %v64, label %enter17, label %after19
enter17:
  br label %loop18
loop18:
  %v65 = phi i64 [%v59, %enter17], [%v82, %loop18]
  %v66 = and i64 %v65, 31
  %v67 = getelementptr inbounds float, ptr %v60, i64 %v66
  %v68 = load <8 x float>, ptr %v67, align 32
  %v69 = sub i64 %v25, %v65
  %v70 = call i64 @llvm.umin.i64(i64 %v69, i64 8)
  %v71 = icmp sge i64 %v69, 8
  %v72 = trunc i64 %v70 to i32
  %v73 = insertelement <8 x i32> poison, i32 %v72, i64 0
  %v74 = shufflevector <8 x i32> %v73, <8 x i32> poison, <8 x i32> zeroinitializer
  %v75 = icmp slt <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v74
  %v76 = add i64 %v21, %v65
  %v77 = getelementptr inbounds float, ptr %v1, i64 %v76
  %v78 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v77, i32 4, <8 x i1> %v75, <8 x float> zeroinitializer)
  %v79 = fadd <8 x float> %v68, %v78
  %v80 = select <8 x i1> %v75, <8 x float> %v79, <8 x float> %v68
  store <8 x float> %v80, ptr %v67, align 32
  %v81 = add i64 %v65, 8
  %v82 = call i64 @llvm.fshl.i64(i64 %v81, i64 %v81, i64 0)
  %v83 = icmp slt i64 %v82, %v25
  br i1 %v83, label %loop18, label %after19
after19:
  %v84 = phi i64 [%v59, %after16], [%v82, %loop18]
  %v85 = load <8 x float>, ptr %v60, align 32
  %v86 = load <8 x float>, ptr %v61, align 32
  %v87 = load <8 x float>, ptr %v62, align 32
  %v88 = load <8 x float>, ptr %v63, align 32
  %v89 = fadd <8 x float> %v85, %v87
  %v90 = fadd <8 x float> %v86, %v88
  %v91 = fadd <8 x float> %v89, %v90
  %v92 = shufflevector <8 x float> %v91, <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %v93 = shufflevector <8 x float> %v91, <8 x float> poison, <4 x i32> <i32 4, i32 5, i32 6, i32 7>
  %v94 = fadd <4 x float> %v92, %v93
  %v95 = shufflevector <4 x float> %v94, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v96 = shufflevector <4 x float> %v94, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v97 = fadd <2 x float> %v95, %v96
  %v98 = extractelement <2 x float> %v97, i64 0
  %v99 = extractelement <2 x float> %v97, i64 1
  %v100 = fadd float %v98, %v99
  %v101 = fadd float %v22, %v100
  %v102 = add i64 %v21, 512
  %v103 = call i64 @llvm.fshl.i64(i64 %v102, i64 %v102, i64 0)
  %v104 = icmp slt i64 %v103, %v19
  br i1 %v104, label %loop12, label %after13
after13:
  %v105 = phi float [0x0000000000000000, %loop9], [%v101, %after19]
  %v106 = phi i64 [%v16, %loop9], [%v103, %after19]
  %v107 = fadd float %v17, %v105
  %v108 = add i64 %v16, 16384
  %v109 = call i64 @llvm.fshl.i64(i64 %v108, i64 %v108, i64 0)
  %v110 = icmp slt i64 %v109, %v7
  br i1 %v110, label %loop9, label %after10
after10:
  %v111 = phi float [0x0000000000000000, %loop6], [%v107, %after13]
  %v112 = phi i64 [0, %loop6], [%v109, %after13]
  %v113 = fadd float 0x0000000000000000, %v111
  store float %v113, ptr %v3, align 4
  %v114 = add i64 %v14, 1
  %v115 = call i64 @llvm.fshl.i64(i64 %v114, i64 %v114, i64 0)
  %v116 = icmp slt i64 %v115, %v12
  br i1 %v116, label %loop6, label %after7
after7:
  %v117 = phi i64 [%v10, %group2], [%v115, %after10]
  br label %next4
next4:
  %v118 = add i64 %v9, 1
  %v119 = call i64 @llvm.fshl.i64(i64 %v118, i64 %v118, i64 0)
  %v120 = icmp slt i64 %v119, %end
  br i1 %v120, label %group2, label %finished3
finished3:
  ret void
}
