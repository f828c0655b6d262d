@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
struct Launch { slots: array<vec4<u32>, 3> }
@group(0) @binding(2) var<uniform> launch: Launch;
var<workgroup> partial0_f32: array<f32, 32>;

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

@compute @workgroup_size(32, 1, 1)
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
    var c7: f32 = float_of(0xff800000u);
    for (var k8: i32 = lane; k8 < n2; k8 += 32i) {
      let v9: i32 = v6 + k8;
      let v10: f32 = b0[v9];
      let v11: f32 = maximum_f32(c7, v10);
      c7 = v11;
    }
    if (lane < 32i) {
      partial0_f32[lane] = c7;
    }
    var c12: i32 = 16i;
    loop {
      if (c12 == 0i) { break; }
      workgroupBarrier();
      if (lane < c12) {
        let v13: f32 = partial0_f32[lane + c12];
        let v14: f32 = partial0_f32[lane];
        let v15: f32 = maximum_f32(v14, v13);
        partial0_f32[lane] = v15;
      }
      c12 = c12 / 2i;
    }
    let v16: f32 = workgroupUniformLoad(&partial0_f32[0i]);
    let v17: f32 = maximum_f32(float_of(0xff800000u), v16);
    var c18: f32 = 0.0f;
    for (var k19: i32 = 0i; k19 < n2; k19 += 16384i) {
      let v20: i32 = k19 + 16384i;
      let v21: i32 = select(n2, v20, (v20 < n2));
      var c22: f32 = 0.0f;
      for (var k23: i32 = k19; k23 < v21; k23 += 512i) {
        let v24: i32 = k23 + 512i;
        let v25: i32 = select(v21, v24, (v24 < v21));
        var c26: f32 = 0.0f;
        for (var k27: i32 = k23 + lane; k27 < v25; k27 += 32i) {
          let v28: i32 = v6 + k27;
          let v29: f32 = b0[v28];
          let v30: f32 = kept(v29 - v17);
          let v31: bool = v30 > 89.0f;
          let v32: f32 = select(v30, 89.0f, v31);
          let v33: bool = v32 < (-104.0f);
          let v34: f32 = select(v32, (-104.0f), v33);
          let v35: f32 = kept(v34 * 0x1.715476p+0f);
          let v36: f32 = kept(v35 + 0x1.8000fcp+23f);
          let v37: f32 = kept(v36 - 0x1.8000fcp+23f);
          let v38: f32 = kept(v37 * (-0x1.62e4p-1f));
          let v39: f32 = kept(v38 + v34);
          let v40: f32 = kept(v37 * (-0x1.7f7d1cp-20f));
          let v41: f32 = kept(v40 + v39);
          let v42: i32 = bitcast<i32>(v36);
          let v43: i32 = v42 << 23u;
          let v44: f32 = kept(v41 * v41);
          let v45: f32 = kept(0x1.6ac708p-10f * v44);
          let v46: f32 = kept(v45 + 0x1.55585ap-5f);
          let v47: f32 = kept(v46 * v44);
          let v48: f32 = kept(v47 + 0x1.fffffcp-2f);
          let v49: f32 = kept(0x1.123e0ap-7f * v44);
          let v50: f32 = kept(v49 + 0x1.55548cp-3f);
          let v51: f32 = kept(v50 * v41);
          let v52: f32 = kept(v51 + v48);
          let v53: f32 = kept(v44 * v52);
          let v54: f32 = kept(v53 + v41);
          let v55: bool = v34 < (-64.0f);
          let v56: i32 = select(0i, 545259520i, v55);
          let v57: i32 = v43 + v56;
          let v58: f32 = bitcast<f32>(v57);
          let v59: f32 = kept(v54 * v58);
          let v60: f32 = kept(v59 + v58);
          let v61: f32 = select(2.0f, 0x1.0p-64f, v55);
          let v62: f32 = kept(v60 * v61);
          b1[v28] = v62;
          let v63: f32 = kept(c26 + v62);
          c26 = v63;
        }
        if (lane < 32i) {
          partial0_f32[lane] = c26;
        }
        var c64: i32 = 16i;
        loop {
          if (c64 == 0i) { break; }
          workgroupBarrier();
          if (lane < c64) {
            let v65: f32 = partial0_f32[lane + c64];
            let v66: f32 = partial0_f32[lane];
            let v67: f32 = kept(v66 + v65);
            partial0_f32[lane] = v67;
          }
          c64 = c64 / 2i;
        }
        let v68: f32 = workgroupUniformLoad(&partial0_f32[0i]);
        let v69: f32 = kept(c22 + v68);
        c22 = v69;
        workgroupBarrier(); storageBarrier();
      }
      let v70: f32 = kept(c18 + c22);
      c18 = v70;
    }
    let v71: f32 = kept(kept(0.0f) + c18);
    for (var k72: i32 = lane; k72 < n2; k72 += 32i) {
      let v73: i32 = v6 + k72;
      let v74: f32 = b1[v73];
      let v75: f32 = v74 / v71;
      b1[v73] = v75;
    }
    workgroupBarrier(); storageBarrier();
  }
}
