target triple = "x86_64-unknown-linux-gnu"
define void @total(ptr noalias readonly %slots, i64 %begin, i64 %end) nounwind {
entry:
  %v8 = alloca [32 x float], align 64
  %v1 = load ptr, ptr %slots, align 8
  %v2 = getelementptr inbounds i64, ptr %slots, i64 1
  %v3 = load ptr, ptr %v2, align 8
  %v4 = getelementptr inbounds i64, ptr %slots, i64 2
  %v5 = load i64, ptr %v4, align 8
  %v6 = icmp slt i64 %begin, %end
  br i1 %v6, label %groups1, label %finished3
groups1:
  %v9 = sub i64 %v5, 31
  %v10 = icmp slt i64 0, %v9
  %v63 = getelementptr inbounds float, ptr %v8, i64 4
  %v64 = getelementptr inbounds float, ptr %v8, i64 8
  %v65 = getelementptr inbounds float, ptr %v8, i64 12
  %v66 = getelementptr inbounds float, ptr %v8, i64 16
  %v67 = getelementptr inbounds float, ptr %v8, i64 20
  %v68 = getelementptr inbounds float, ptr %v8, i64 24
  %v69 = getelementptr inbounds float, ptr %v8, i64 28
  br label %group2
group2:
  %v7 = phi i64 [%begin, %groups1], [%v104, %next4]
  br i1 %v10, label %enter5, label %after7
enter5:
  br label %loop6
loop6:
  %v11 = phi i64 [0, %enter5], [%v52, %loop6]
  %v12 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v22, %loop6]
  %v13 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v26, %loop6]
  %v14 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v30, %loop6]
  %v15 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v34, %loop6]
  %v16 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v38, %loop6]
  %v17 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v42, %loop6]
  %v18 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v46, %loop6]
  %v19 = phi <4 x float> [splat (float 0x0000000000000000), %enter5], [%v50, %loop6]
  %v20 = getelementptr inbounds float, ptr %v1, i64 %v11
  %v21 = load <4 x float>, ptr %v20, align 4
  %v22 = fadd <4 x float> %v12, %v21
  %v23 = add i64 %v11, 4
  %v24 = getelementptr inbounds float, ptr %v1, i64 %v23
  %v25 = load <4 x float>, ptr %v24, align 4
  %v26 = fadd <4 x float> %v13, %v25
  %v27 = add i64 %v11, 8
  %v28 = getelementptr inbounds float, ptr %v1, i64 %v27
  %v29 = load <4 x float>, ptr %v28, align 4
  %v30 = fadd <4 x float> %v14, %v29
  %v31 = add i64 %v11, 12
  %v32 = getelementptr inbounds float, ptr %v1, i64 %v31
  %v33 = load <4 x float>, ptr %v32, align 4
  %v34 = fadd <4 x float> %v15, %v33
  %v35 = add i64 %v11, 16
  %v36 = getelementptr inbounds float, ptr %v1, i64 %v35
  %v37 = load <4 x float>, ptr %v36, align 4
  %v38 = fadd <4 x float> %v16, %v37
  %v39 = add i64 %v11, 20
  %v40 = getelementptr inbounds float, ptr %v1, i64 %v39
  %v41 = load <4 x float>, ptr %v40, align 4
  %v42 = fadd <4 x float> %v17, %v41
  %v43 = add i64 %v11, 24
  %v44 = getelementptr inbounds float, ptr %v1, i64 %v43
  %v45 = load <4 x float>, ptr %v44, align 4
  %v46 = fadd <4 x float> %v18, %v45
  %v47 = add i64 %v11, 28
  %v48 = getelementptr inbounds float, ptr %v1, i64 %v47
  %v49 = load <4 x float>, ptr %v48, align 4
  %v50 = fadd <4 x float> %v19, %v49
  %v51 = add i64 %v11, 32
  %v52 = call i64 @llvm.fshl.i64(i64 %v51, i64 %v51, i64 0)
  %v53 = icmp slt i64 %v52, %v9
  br i1 %v53, label %loop6, label %after7
after7:
  %v54 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v22, %loop6]
  %v55 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v26, %loop6]
  %v56 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v30, %loop6]
  %v57 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v34, %loop6]
  %v58 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v38, %loop6]
  %v59 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v42, %loop6]
  %v60 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v46, %loop6]
  %v61 = phi <4 x float> [splat (float 0x0000000000000000), %group2], [%v50, %loop6]
  %v62 = phi i64 [0, %group2], [%v52, %loop6]
  store <4 x float> %v54, ptr %v8, align 16
  store <4 x float> %v55, ptr %v63, align 16
  store <4 x float> %v56, ptr %v64, align 16
  store <4 x float> %v57, ptr %v65, align 16
  store <4 x float> %v58, ptr %v66, align 16
  store <4 x float> %v59, ptr %v67, align 16
  store <4 x float> %v60, ptr %v68, align 16
  store <4 x float> %v61, ptr %v69, align 16
  %v70 = icmp slt i64 %v62, %v5
  br i1 %v70, label %enter8, label %after10
enter8:
  br label %loop9
loop9:
  %v71 = phi i64 [%v62, %enter8], [%v79, %loop9]
  %v72 = and i64 %v71, 31
  %v73 = getelementptr inbounds float, ptr %v1, i64 %v71
  %v74 = load float, ptr %v73, align 4
  %v75 = getelementptr inbounds float, ptr %v8, i64 %v72
  %v76 = load float, ptr %v75, align 4
  %v77 = fadd float %v76, %v74
  store float %v77, ptr %v75, align 4
  %v78 = add i64 %v71, 1
  %v79 = call i64 @llvm.fshl.i64(i64 %v78, i64 %v78, i64 0)
  %v80 = icmp slt i64 %v79, %v5
  br i1 %v80, label %loop9, label %after10
after10:
  %v81 = phi i64 [%v62, %after7], [%v79, %loop9]
  %v82 = load <4 x float>, ptr %v8, align 16
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
