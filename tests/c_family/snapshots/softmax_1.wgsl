@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
struct Launch { slots: array<vec4<u32>, 3> }
@group(0) @binding(2) var<uniform> launch: Launch;

fn float_of(bits: u32) -> f32 { return bitcast<f32>(bits); }

fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

fn maximum_f32(x: f32, y: f32) -> f32 {
  return select(select(select(y, x, x > y), y, (is_nan(y))), x, (is_nan(x)));
}

fn kept(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ launch.slots[0].y); }

@compute @workgroup_size(1, 1, 1)
fn jf_max_sum_div(@builtin(workgroup_id) groups: vec3<u32>, @builtin(num_workgroups) grid: vec3<u32>, @builtin(local_invocation_index) lane_number: u32) {
  let group: i32 = bitcast<i32>(launch.slots[0].x) + i32(groups.x + groups.y * grid.x);
  if (group >= bitcast<i32>(launch.slots[0].z)) { return; }
  let lane: i32 = i32(lane_number);
  let n0: i32 = bitcast<i32>(launch.slots[1].x);
  let n1: i32 = bitcast<i32>(launch.slots[1].z);
  let n2: i32 = bitcast<i32>(launch.slots[2].x);
  let v1: i32 = group * n0;
  let v2: i32 = v1 + n0;
  let v3: i32 = select(n1, v2, (v2 < n1));
  for (var k4: i32 = v1; k4 < v3; k4 += 1i) {
    let v5: i32 = k4 * n2;
    var partial6: array<f32, 32>;
    for (var k7: i32 = 0i; k7 < 32i; k7 += 1i) {
      partial6[k7] = float_of(0xff800000u);
    }
    for (var k8: i32 = 0i; k8 < n2; k8 += 32i) {
      let v10: i32 = n2 - k8;
      let v11: i32 = select(32i, v10, (v10 < 32i));
      for (var k9: i32 = 0i; k9 < v11; k9 += 1i) {
        let v12: i32 = k8 + k9;
        let v13: i32 = v5 + v12;
        let v14: f32 = b0[v13];
        let v15: f32 = partial6[k9];
        let v16: f32 = maximum_f32(v15, v14);
        partial6[k9] = v16;
      }
    }
    for (var k17: i32 = 0i; k17 < 16i; k17 += 1i) {
      let v18: f32 = partial6[k17 + 16i];
      let v19: f32 = partial6[k17];
      let v20: f32 = maximum_f32(v19, v18);
      partial6[k17] = v20;
    }
    for (var k21: i32 = 0i; k21 < 8i; k21 += 1i) {
      let v22: f32 = partial6[k21 + 8i];
      let v23: f32 = partial6[k21];
      let v24: f32 = maximum_f32(v23, v22);
      partial6[k21] = v24;
    }
    for (var k25: i32 = 0i; k25 < 4i; k25 += 1i) {
      let v26: f32 = partial6[k25 + 4i];
      let v27: f32 = partial6[k25];
      let v28: f32 = maximum_f32(v27, v26);
      partial6[k25] = v28;
    }
    for (var k29: i32 = 0i; k29 < 2i; k29 += 1i) {
      let v30: f32 = partial6[k29 + 2i];
      let v31: f32 = partial6[k29];
      let v32: f32 = maximum_f32(v31, v30);
      partial6[k29] = v32;
    }
    for (var k33: i32 = 0i; k33 < 1i; k33 += 1i) {
      let v34: f32 = partial6[k33 + 1i];
      let v35: f32 = partial6[k33];
      let v36: f32 = maximum_f32(v35, v34);
      partial6[k33] = v36;
    }
    let v37: f32 = partial6[0i];
    let v38: f32 = maximum_f32(float_of(0xff800000u), v37);
    var c39: f32 = 0.0f;
    for (var k40: i32 = 0i; k40 < n2; k40 += 16384i) {
      let v41: i32 = k40 + 16384i;
      let v42: i32 = select(n2, v41, (v41 < n2));
      var c43: f32 = 0.0f;
      for (var k44: i32 = k40; k44 < v42; k44 += 512i) {
        let v45: i32 = k44 + 512i;
        let v46: i32 = select(v42, v45, (v45 < v42));
        var partial47: array<f32, 32>;
        for (var k48: i32 = 0i; k48 < 32i; k48 += 1i) {
          partial47[k48] = 0.0f;
        }
        for (var k49: i32 = k44; k49 < v46; k49 += 32i) {
          let v51: i32 = v46 - k49;
          let v52: i32 = select(32i, v51, (v51 < 32i));
          for (var k50: i32 = 0i; k50 < v52; k50 += 1i) {
            let v53: i32 = k49 + k50;
            let v54: i32 = v5 + v53;
            let v55: f32 = b0[v54];
            let v56: f32 = kept(v55 - v38);
            let v57: bool = v56 > 89.0f;
            let v58: f32 = select(v56, 89.0f, v57);
            let v59: bool = v58 < (-104.0f);
            let v60: f32 = select(v58, (-104.0f), v59);
            let v61: f32 = kept(v60 * 0x1.715476p+0f);
            let v62: f32 = kept(v61 + 0x1.8000fcp+23f);
            let v63: f32 = kept(v62 - 0x1.8000fcp+23f);
            let v64: i32 = bitcast<i32>(v62);
            let v65: i32 = v64 << 23u;
            let v66: f32 = kept(v63 * (-0x1.62e4p-1f));
            let v67: f32 = kept(v66 + v60);
            let v68: f32 = kept(v63 * (-0x1.7f7d1cp-20f));
            let v69: f32 = kept(v68 + v67);
            let v70: f32 = kept(v69 * v69);
            let v71: f32 = kept(0x1.6ac708p-10f * v70);
            let v72: f32 = kept(v71 + 0x1.55585ap-5f);
            let v73: f32 = kept(v72 * v70);
            let v74: f32 = kept(v73 + 0x1.fffffcp-2f);
            let v75: f32 = kept(0x1.123e0ap-7f * v70);
            let v76: f32 = kept(v75 + 0x1.55548cp-3f);
            let v77: f32 = kept(v76 * v69);
            let v78: f32 = kept(v77 + v74);
            let v79: f32 = kept(v70 * v78);
            let v80: f32 = kept(v79 + v69);
            let v81: bool = v60 < (-64.0f);
            let v82: i32 = select(0i, 545259520i, v81);
            let v83: i32 = v65 + v82;
            let v84: f32 = bitcast<f32>(v83);
            let v85: f32 = kept(v80 * v84);
            let v86: f32 = kept(v85 + v84);
            let v87: f32 = select(2.0f, 0x1.0p-64f, v81);
            let v88: f32 = kept(v86 * v87);
            b1[v54] = v88;
            let v89: f32 = partial47[k50];
            let v90: f32 = kept(v89 + v88);
            partial47[k50] = v90;
          }
        }
        for (var k91: i32 = 0i; k91 < 16i; k91 += 1i) {
          let v92: f32 = partial47[k91 + 16i];
          let v93: f32 = partial47[k91];
          let v94: f32 = kept(v93 + v92);
          partial47[k91] = v94;
        }
        for (var k95: i32 = 0i; k95 < 8i; k95 += 1i) {
          let v96: f32 = partial47[k95 + 8i];
          let v97: f32 = partial47[k95];
          let v98: f32 = kept(v97 + v96);
          partial47[k95] = v98;
        }
        for (var k99: i32 = 0i; k99 < 4i; k99 += 1i) {
          let v100: f32 = partial47[k99 + 4i];
          let v101: f32 = partial47[k99];
          let v102: f32 = kept(v101 + v100);
          partial47[k99] = v102;
        }
        for (var k103: i32 = 0i; k103 < 2i; k103 += 1i) {
          let v104: f32 = partial47[k103 + 2i];
          let v105: f32 = partial47[k103];
          let v106: f32 = kept(v105 + v104);
          partial47[k103] = v106;
        }
        for (var k107: i32 = 0i; k107 < 1i; k107 += 1i) {
          let v108: f32 = partial47[k107 + 1i];
          let v109: f32 = partial47[k107];
          let v110: f32 = kept(v109 + v108);
          partial47[k107] = v110;
        }
        let v111: f32 = partial47[0i];
        let v112: f32 = kept(c43 + v111);
        c43 = v112;
      }
      let v113: f32 = kept(c39 + c43);
      c39 = v113;
    }
    let v114: f32 = kept(kept(0.0f) + c39);
    for (var k115: i32 = 0i; k115 < n2; k115 += 1i) {
      let v116: i32 = v5 + k115;
      let v117: f32 = b1[v116];
      let v118: f32 = v117 / v114;
      b1[v116] = v118;
    }
  }
}
