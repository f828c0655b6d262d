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
    var c9: i32 = 0i;
    for (var k10: i32 = 0i; k10 < n2; k10 += 1i) {
      let v11: i32 = v6 + k10;
      let v12: f32 = b0[v11];
      let v13: i32 = c9 & 31i;
      let v14: f32 = partial7[v13];
      let v15: f32 = maximum_f32(v14, v12);
      partial7[v13] = v15;
      c9 += 1i;
    }
    var c16: i32 = 16i;
    loop {
      if (c16 == 0i) { break; }
      for (var k17: i32 = 0i; k17 < c16; k17 += 1i) {
        let v18: f32 = partial7[k17 + c16];
        let v19: f32 = partial7[k17];
        let v20: f32 = maximum_f32(v19, v18);
        partial7[k17] = v20;
      }
      c16 = c16 / 2i;
    }
    let v21: f32 = partial7[0i];
    let v22: f32 = maximum_f32(float_of(0xff800000u), v21);
    var c23: f32 = 0.0f;
    for (var k24: i32 = 0i; k24 < n2; k24 += 16384i) {
      let v25: i32 = k24 + 16384i;
      let v26: i32 = select(n2, v25, (v25 < n2));
      var c27: f32 = 0.0f;
      for (var k28: i32 = k24; k28 < v26; k28 += 512i) {
        let v29: i32 = k28 + 512i;
        let v30: i32 = select(v26, v29, (v29 < v26));
        var partial31: array<f32, 32>;
        for (var k32: i32 = 0i; k32 < 32i; k32 += 1i) {
          partial31[k32] = 0.0f;
        }
        var c33: i32 = 0i;
        for (var k34: i32 = k28; k34 < v30; k34 += 1i) {
          let v35: i32 = v6 + k34;
          let v36: f32 = b0[v35];
          let v37: f32 = kept(v36 - v22);
          let v38: bool = v37 > 89.0f;
          let v39: f32 = select(v37, 89.0f, v38);
          let v40: bool = v39 < (-104.0f);
          let v41: f32 = select(v39, (-104.0f), v40);
          let v42: f32 = kept(v41 * 0x1.715476p+0f);
          let v43: f32 = kept(v42 + 0x1.8000fcp+23f);
          let v44: f32 = kept(v43 - 0x1.8000fcp+23f);
          let v45: f32 = kept(v44 * (-0x1.62e4p-1f));
          let v46: f32 = kept(v45 + v41);
          let v47: f32 = kept(v44 * (-0x1.7f7d1cp-20f));
          let v48: f32 = kept(v47 + v46);
          let v49: i32 = bitcast<i32>(v43);
          let v50: i32 = v49 << 23u;
          let v51: f32 = kept(v48 * v48);
          let v52: f32 = kept(0x1.6ac708p-10f * v51);
          let v53: f32 = kept(v52 + 0x1.55585ap-5f);
          let v54: f32 = kept(v53 * v51);
          let v55: f32 = kept(v54 + 0x1.fffffcp-2f);
          let v56: f32 = kept(0x1.123e0ap-7f * v51);
          let v57: f32 = kept(v56 + 0x1.55548cp-3f);
          let v58: f32 = kept(v57 * v48);
          let v59: f32 = kept(v58 + v55);
          let v60: f32 = kept(v51 * v59);
          let v61: f32 = kept(v60 + v48);
          let v62: bool = v41 < (-64.0f);
          let v63: i32 = select(0i, 545259520i, v62);
          let v64: i32 = v50 + v63;
          let v65: f32 = bitcast<f32>(v64);
          let v66: f32 = kept(v61 * v65);
          let v67: f32 = kept(v66 + v65);
          let v68: f32 = select(2.0f, 0x1.0p-64f, v62);
          let v69: f32 = kept(v67 * v68);
          b1[v35] = v69;
          let v70: i32 = c33 & 31i;
          let v71: f32 = partial31[v70];
          let v72: f32 = kept(v71 + v69);
          partial31[v70] = v72;
          c33 += 1i;
        }
        var c73: i32 = 16i;
        loop {
          if (c73 == 0i) { break; }
          for (var k74: i32 = 0i; k74 < c73; k74 += 1i) {
            let v75: f32 = partial31[k74 + c73];
            let v76: f32 = partial31[k74];
            let v77: f32 = kept(v76 + v75);
            partial31[k74] = v77;
          }
          c73 = c73 / 2i;
        }
        let v78: f32 = partial31[0i];
        let v79: f32 = kept(c27 + v78);
        c27 = v79;
      }
      let v80: f32 = kept(c23 + c27);
      c23 = v80;
    }
    let v81: f32 = kept(kept(0.0f) + c23);
    for (var k82: i32 = 0i; k82 < n2; k82 += 1i) {
      let v83: i32 = v6 + k82;
      let v84: f32 = b1[v83];
      let v85: f32 = v84 / v81;
      b1[v83] = v85;
    }
  }
}
