target triple = "x86_64-unknown-linux-gnu"
define void @total(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v62 = alloca [32 x float], align 64
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load i64, ptr %v4, align 8
  %v6 = icmp slt i64 %begin, %end
  br i1 %v6, label %groups1, label %finished3
groups1:
  %v8 = sub i64 %v5, 31
  %v9 = icmp slt i64 0, %v8
  %v63 = getelementptr inbounds float, ptr %v62, i64 4
  %v64 = getelementptr inbounds float, ptr %v62, i64 8
  %v65 = getelementptr inbounds float, ptr %v62, i64 12
  %v66 = getelementptr inbounds float, ptr %v62, i64 16
  %v67 = getelementptr inbounds float, ptr %v62, i64 20
  %v68 = getelementptr inbounds float, ptr %v62, i64 24
  %v69 = getelementptr inbounds float, ptr %v62, i64 28
  br label %group2
group2:
  %v7 = phi i64 [%begin, %groups1], [%v104, %next4]
  br i1 %v9, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v10 = phi i64 [0, %enter5], [%v51, %loop6]
  %v11 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v21, %loop6]
  %v12 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v25, %loop6]
  %v13 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v29, %loop6]
  %v14 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v33, %loop6]
  %v15 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v37, %loop6]
  %v16 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v41, %loop6]
  %v17 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v45, %loop6]
  %v18 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v49, %loop6]
  %v19 = getelementptr inbounds float, ptr %v1, i64 %v10
  %v20 = load <4 x float>, ptr %v19, align 4
  %v21 = fadd <4 x float> %v11, %v20
  %v22 = add i64 %v10, 4
  %v23 = getelementptr inbounds float, ptr %v1, i64 %v22
  %v24 = load <4 x float>, ptr %v23, align 4
  %v25 = fadd <4 x float> %v12, %v24
  %v26 = add i64 %v10, 8
  %v27 = getelementptr inbounds float, ptr %v1, i64 %v26
  %v28 = load <4 x float>, ptr %v27, align 4
  %v29 = fadd <4 x float> %v13, %v28
  %v30 = add i64 %v10, 12
  %v31 = getelementptr inbounds float, ptr %v1, i64 %v30
  %v32 = load <4 x float>, ptr %v31, align 4
  %v33 = fadd <4 x float> %v14, %v32
  %v34 = add i64 %v10, 16
  %v35 = getelementptr inbounds float, ptr %v1, i64 %v34
  %v36 = load <4 x float>, ptr %v35, align 4
  %v37 = fadd <4 x float> %v15, %v36
  %v38 = add i64 %v10, 20
  %v39 = getelementptr inbounds float, ptr %v1, i64 %v38
  %v40 = load <4 x float>, ptr %v39, align 4
  %v41 = fadd <4 x float> %v16, %v40
  %v42 = add i64 %v10, 24
  %v43 = getelementptr inbounds float, ptr %v1, i64 %v42
  %v44 = load <4 x float>, ptr %v43, align 4
  %v45 = fadd <4 x float> %v17, %v44
  %v46 = add i64 %v10, 28
  %v47 = getelementptr inbounds float, ptr %v1, i64 %v46
  %v48 = load <4 x float>, ptr %v47, align 4
  %v49 = fadd <4 x float> %v18, %v48
  %v50 = add i64 %v10, 32
  %v51 = call i64 @llvm.fshl.i64(i64 %v50, i64 %v50, i64 0)
  %v52 = icmp slt i64 %v51, %v8
  br i1 %v52, label %loop6, label %after7
after7:
  %v53 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v21, %loop6]
  %v54 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v25, %loop6]
  %v55 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v29, %loop6]
  %v56 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v33, %loop6]
  %v57 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v37, %loop6]
  %v58 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v41, %loop6]
  %v59 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v45, %loop6]
  %v60 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v49, %loop6]
  %v61 = phi i64 [0, %group2], [%v51, %loop6]
  store <4 x float> %v53, ptr %v62, align 16
  store <4 x float> %v54, ptr %v63, align 16
  store <4 x float> %v55, ptr %v64, align 16
  store <4 x float> %v56, ptr %v65, align 16
  store <4 x float> %v57, ptr %v66, align 16
  store <4 x float> %v58, ptr %v67, align 16
  store <4 x float> %v59, ptr %v68, align 16
  store <4 x float> %v60, ptr %v69, align 16
  %v70 = icmp slt i64 %v61, %v5
  br i1 %v70, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v71 = phi i64 [%v61, %enter8], [%v79, %loop9]
  %v72 = and i64 %v71, 31
  %v73 = getelementptr inbounds float, ptr %v62, i64 %v72
  %v74 = load float, ptr %v73, align 4
  %v75 = getelementptr inbounds float, ptr %v1, i64 %v71
  %v76 = load float, ptr %v75, align 4
  %v77 = fadd float %v74, %v76
  store float %v77, ptr %v73, align 4
  %v78 = add i64 %v71, 1
  %v79 = call i64 @llvm.fshl.i64(i64 %v78, i64 %v78, i64 0)
  %v80 = icmp slt i64 %v79, %v5
  br i1 %v80, label %loop9, label %after10
after10:
  %v81 = phi i64 [%v61, %after7], [%v79, %loop9]
  %v82 = load <4 x float>, ptr %v62, align 16
  %v83 = load <4 x float>, ptr %v63, align 16
  %v84 = load <4 x float>, ptr %v64, align 16
  %v85 = load <4 x float>, ptr %v65, align 16
  %v86 = load <4 x float>, ptr %v66, align 16
  %v87 = load <4 x float>, ptr %v67, align 16
  %v88 = load <4 x float>, ptr %v68, align 16
  %v89 = load <4 x float>, ptr %v69, align 16
  %v90 = fadd <4 x float> %v82, %v86
  %v91 = fadd <4 x float> %v83, %v87
  %v92 = fadd <4 x float> %v84, %v88
  %v93 = fadd <4 x float> %v85, %v89
  %v94 = fadd <4 x float> %v90, %v92
  %v95 = fadd <4 x float> %v91, %v93
  %v96 = fadd <4 x float> %v94, %v95
  %v97 = shufflevector <4 x float> %v96, <4 x float> poison, <2 x i32> <i32 0, i32 1>
  %v98 = shufflevector <4 x float> %v96, <4 x float> poison, <2 x i32> <i32 2, i32 3>
  %v99 = fadd <2 x float> %v97, %v98
  %v100 = extractelement <2 x float> %v99, i64 0
  %v101 = extractelement <2 x float> %v99, i64 1
  %v102 = fadd float %v100, %v101
  store float %v102, ptr %v3, align 4
  br label %next4
next4:
  %v103 = add i64 %v7, 1
  %v104 = call i64 @llvm.fshl.i64(i64 %v103, i64 %v103, i64 0)
  %v105 = icmp slt i64 %v104, %end
  br i1 %v105, label %group2, label %finished3
finished3:
  ret void
}
