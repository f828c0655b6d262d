@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
struct Launch { slots: array<vec4<u32>, 3> }
@group(0) @binding(2) var<uniform> launch: Launch;

fn float_of(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

fn is_nan(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn maximum_f32(x: f32, y: f32) -> f32 {
  return select(select(select(y, x, x > y), y, (is_nan(y))), x, (is_nan(x)));
}

fn kept(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) ^ launch.slots[0].y);
}

@compute @workgroup_size(1, 1, 1)
fn jf_max_sum_div(@builtin(workgroup_id) groups: vec3<u32>, @builtin(num_workgroups) grid: vec3<u32>, @builtin(local_invocation_index) lane_number: u32) {
  let group: i32 = bitcast<i32>(launch.slots[0].x) + i32(groups.x + groups.y * grid.x);
  if (group >= bitcast<i32>(launch.slots[0].z)) { return; }
  let lane: i32 = i32(lane_number);
  let n0: i32 = bitcast<i32>(launch.slots[1].x);
  let n1: i32 = bitcast<i32>(launch.slots[1].z);
  let n2: i32 = bitcast<i32>(launch.slots[2].x);
  let n3: i32 = bitcast<i32>(launch.slots[2].z);
  let v1: i32 = group * n0;
  let v2: i32 = v1 + n0;
  let v3: i32 = select(n1, v2, (v2 < n1));
  let v4: bool = n3 != 0i;
  for (var k5: i32 = v1; k5 < v3; k5 += 1i) {
    let v6: i32 = k5 * n2;
    var partial7: array<f32, 32>;
    for (var k8: i32 = 0i; k8 < 32i; k8 += 1i) {
      partial7[k8] = float_of(0xff800000u);
    }
    for (var k9: i32 = 0i; k9 < n2; k9 += 32i) {
      let v11: i32 = n2 - k9;
      let v12: i32 = select(32i, v11, (v11 < 32i));
      for (var k10: i32 = 0i; k10 < v12; k10 += 1i) {
        let v13: i32 = k9 + k10;
        let v14: i32 = v6 + v13;
        let v15: f32 = b0[v14];
        let v16: f32 = partial7[k10];
        let v17: f32 = maximum_f32(v16, v15);
        partial7[k10] = v17;
      }
    }
    for (var k18: i32 = 0i; k18 < 16i; k18 += 1i) {
      let v19: f32 = partial7[k18 + 16i];
      let v20: f32 = partial7[k18];
      let v21: f32 = maximum_f32(v20, v19);
      partial7[k18] = v21;
    }
    for (var k22: i32 = 0i; k22 < 8i; k22 += 1i) {
      let v23: f32 = partial7[k22 + 8i];
      let v24: f32 = partial7[k22];
      let v25: f32 = maximum_f32(v24, v23);
      partial7[k22] = v25;
    }
    for (var k26: i32 = 0i; k26 < 4i; k26 += 1i) {
      let v27: f32 = partial7[k26 + 4i];
      let v28: f32 = partial7[k26];
      let v29: f32 = maximum_f32(v28, v27);
      partial7[k26] = v29;
    }
    for (var k30: i32 = 0i; k30 < 2i; k30 += 1i) {
      let v31: f32 = partial7[k30 + 2i];
      let v32: f32 = partial7[k30];
      let v33: f32 = maximum_f32(v32, v31);
      partial7[k30] = v33;
    }
    for (var k34: i32 = 0i; k34 < 1i; k34 += 1i) {
      let v35: f32 = partial7[k34 + 1i];
      let v36: f32 = partial7[k34];
      let v37: f32 = maximum_f32(v36, v35);
      partial7[k34] = v37;
    }
    let v38: f32 = partial7[0i];
    let v39: f32 = maximum_f32(float_of(0xff800000u), v38);
    var c40: f32 = 0.0f;
    for (var k41: i32 = 0i; k41 < n2; k41 += 16384i) {
      let v42: i32 = k41 + 16384i;
      let v43: i32 = select(n2, v42, (v42 < n2));
      var c44: f32 = 0.0f;
      for (var k45: i32 = k41; k45 < v43; k45 += 512i) {
        let v46: i32 = k45 + 512i;
        let v47: i32 = select(v43, v46, (v46 < v43));
        var partial48: array<f32, 32>;
        for (var k49: i32 = 0i; k49 < 32i; k49 += 1i) {
          partial48[k49] = 0.0f;
        }
        for (var k50: i32 = k45; k50 < v47; k50 += 32i) {
          let v52: i32 = v47 - k50;
          let v53: i32 = select(32i, v52, (v52 < 32i));
          for (var k51: i32 = 0i; k51 < v53; k51 += 1i) {
            let v54: i32 = k50 + k51;
            let v55: i32 = v6 + v54;
            let v56: f32 = b0[v55];
            let v57: f32 = kept(v56 - v39);
            let v58: bool = v57 > 89.0f;
            let v59: f32 = select(v57, 89.0f, v58);
            let v60: bool = v59 < (-104.0f);
            let v61: f32 = select(v59, (-104.0f), v60);
            let v62: f32 = kept(v61 * 0x1.715476p+0f);
            let v63: f32 = kept(v62 + 0x1.8000fcp+23f);
            let v64: f32 = kept(v63 - 0x1.8000fcp+23f);
            let v65: f32 = kept(v64 * (-0x1.62e4p-1f));
            let v66: f32 = kept(v65 + v61);
            let v67: f32 = kept(v64 * (-0x1.7f7d1cp-20f));
            let v68: f32 = kept(v67 + v66);
            let v69: i32 = bitcast<i32>(v63);
            let v70: i32 = v69 << 23u;
            let v71: f32 = kept(v68 * v68);
            let v72: f32 = kept(0x1.6ac708p-10f * v71);
            let v73: f32 = kept(v72 + 0x1.55585ap-5f);
            let v74: f32 = kept(v73 * v71);
            let v75: f32 = kept(v74 + 0x1.fffffcp-2f);
            let v76: f32 = kept(0x1.123e0ap-7f * v71);
            let v77: f32 = kept(v76 + 0x1.55548cp-3f);
            let v78: f32 = kept(v77 * v68);
            let v79: f32 = kept(v78 + v75);
            let v80: f32 = kept(v71 * v79);
            let v81: f32 = kept(v80 + v68);
            let v82: bool = v61 < (-64.0f);
            let v83: i32 = select(0i, 545259520i, v82);
            let v84: i32 = v70 + v83;
            let v85: f32 = bitcast<f32>(v84);
            let v86: f32 = kept(v81 * v85);
            let v87: f32 = kept(v86 + v85);
            let v88: f32 = select(2.0f, 0x1.0p-64f, v82);
            let v89: f32 = kept(v87 * v88);
            b1[v55] = v89;
            let v90: f32 = partial48[k51];
            let v91: f32 = kept(v90 + v89);
            partial48[k51] = v91;
          }
        }
        for (var k92: i32 = 0i; k92 < 16i; k92 += 1i) {
          let v93: f32 = partial48[k92 + 16i];
          let v94: f32 = partial48[k92];
          let v95: f32 = kept(v94 + v93);
          partial48[k92] = v95;
        }
        for (var k96: i32 = 0i; k96 < 8i; k96 += 1i) {
          let v97: f32 = partial48[k96 + 8i];
          let v98: f32 = partial48[k96];
          let v99: f32 = kept(v98 + v97);
          partial48[k96] = v99;
        }
        for (var k100: i32 = 0i; k100 < 4i; k100 += 1i) {
          let v101: f32 = partial48[k100 + 4i];
          let v102: f32 = partial48[k100];
          let v103: f32 = kept(v102 + v101);
          partial48[k100] = v103;
        }
        for (var k104: i32 = 0i; k104 < 2i; k104 += 1i) {
          let v105: f32 = partial48[k104 + 2i];
          let v106: f32 = partial48[k104];
          let v107: f32 = kept(v106 + v105);
          partial48[k104] = v107;
        }
        for (var k108: i32 = 0i; k108 < 1i; k108 += 1i) {
          let v109: f32 = partial48[k108 + 1i];
          let v110: f32 = partial48[k108];
          let v111: f32 = kept(v110 + v109);
          partial48[k108] = v111;
        }
        let v112: f32 = partial48[0i];
        let v113: f32 = kept(c44 + v112);
        c44 = v113;
      }
      let v114: f32 = kept(c40 + c44);
      c40 = v114;
    }
    let v115: f32 = kept(kept(0.0f) + c40);
    for (var k116: i32 = 0i; k116 < n2; k116 += 1i) {
      let v117: i32 = v6 + k116;
      let v118: f32 = b1[v117];
      let v119: f32 = v118 / v115;
      b1[v117] = v119;
    }
  }
}
