@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
struct Launch { slots: array<vec4<u32>, 3> }
@group(0) @binding(2) var<uniform> launch: Launch;
var<workgroup> partial0_f32: array<f32, 32>;

fn float_of(bits: u32) -> f32 { return bitcast<f32>(bits); }

fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

fn maximum_f32(x: f32, y: f32) -> f32 {
  return select(select(select(y, x, x > y), y, (is_nan(y))), x, (is_nan(x)));
}

fn kept(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ launch.slots[0].y); }

@compute @workgroup_size(32, 1, 1)
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
    var c6: f32 = float_of(0xff800000u);
    for (var k7: i32 = lane; k7 < n2; k7 += 32i) {
      let v8: i32 = v5 + k7;
      let v9: f32 = b0[v8];
      let v10: f32 = maximum_f32(c6, v9);
      c6 = v10;
    }
    if (lane < 32i) {
      partial0_f32[lane] = c6;
    }
    var c11: i32 = 16i;
    loop {
      if (c11 == 0i) { break; }
      workgroupBarrier();
      if (lane < c11) {
        let v12: f32 = partial0_f32[lane + c11];
        let v13: f32 = partial0_f32[lane];
        let v14: f32 = maximum_f32(v13, v12);
        partial0_f32[lane] = v14;
      }
      c11 = c11 / 2i;
    }
    let v15: f32 = workgroupUniformLoad(&partial0_f32[0i]);
    let v16: f32 = maximum_f32(float_of(0xff800000u), v15);
    var c17: f32 = 0.0f;
    for (var k18: i32 = 0i; k18 < n2; k18 += 16384i) {
      let v19: i32 = k18 + 16384i;
      let v20: i32 = select(n2, v19, (v19 < n2));
      var c21: f32 = 0.0f;
      for (var k22: i32 = k18; k22 < v20; k22 += 512i) {
        let v23: i32 = k22 + 512i;
        let v24: i32 = select(v20, v23, (v23 < v20));
        var c25: f32 = 0.0f;
        for (var k26: i32 = k22 + lane; k26 < v24; k26 += 32i) {
          let v27: i32 = v5 + k26;
          let v28: f32 = b0[v27];
          let v29: f32 = kept(v28 - v16);
          let v30: bool = v29 > 89.0f;
          let v31: f32 = select(v29, 89.0f, v30);
          let v32: bool = v31 < (-104.0f);
          let v33: f32 = select(v31, (-104.0f), v32);
          let v34: f32 = kept(v33 * 0x1.715476p+0f);
          let v35: f32 = kept(v34 + 0x1.8000fcp+23f);
          let v36: f32 = kept(v35 - 0x1.8000fcp+23f);
          let v37: i32 = bitcast<i32>(v35);
          let v38: i32 = v37 << 23u;
          let v39: f32 = kept(v36 * (-0x1.62e4p-1f));
          let v40: f32 = kept(v39 + v33);
          let v41: f32 = kept(v36 * (-0x1.7f7d1cp-20f));
          let v42: f32 = kept(v41 + v40);
          let v43: f32 = kept(v42 * v42);
          let v44: f32 = kept(0x1.6ac708p-10f * v43);
          let v45: f32 = kept(v44 + 0x1.55585ap-5f);
          let v46: f32 = kept(v45 * v43);
          let v47: f32 = kept(v46 + 0x1.fffffcp-2f);
          let v48: f32 = kept(0x1.123e0ap-7f * v43);
          let v49: f32 = kept(v48 + 0x1.55548cp-3f);
          let v50: f32 = kept(v49 * v42);
          let v51: f32 = kept(v50 + v47);
          let v52: f32 = kept(v43 * v51);
          let v53: f32 = kept(v52 + v42);
          let v54: bool = v33 < (-64.0f);
          let v55: i32 = select(0i, 545259520i, v54);
          let v56: i32 = v38 + v55;
          let v57: f32 = bitcast<f32>(v56);
          let v58: f32 = kept(v53 * v57);
          let v59: f32 = kept(v58 + v57);
          let v60: f32 = select(2.0f, 0x1.0p-64f, v54);
          let v61: f32 = kept(v59 * v60);
          b1[v27] = v61;
          let v62: f32 = kept(c25 + v61);
          c25 = v62;
        }
        if (lane < 32i) {
          partial0_f32[lane] = c25;
        }
        var c63: i32 = 16i;
        loop {
          if (c63 == 0i) { break; }
          workgroupBarrier();
          if (lane < c63) {
            let v64: f32 = partial0_f32[lane + c63];
            let v65: f32 = partial0_f32[lane];
            let v66: f32 = kept(v65 + v64);
            partial0_f32[lane] = v66;
          }
          c63 = c63 / 2i;
        }
        let v67: f32 = workgroupUniformLoad(&partial0_f32[0i]);
        let v68: f32 = kept(c21 + v67);
        c21 = v68;
        workgroupBarrier(); storageBarrier();
      }
      let v69: f32 = kept(c17 + c21);
      c17 = v69;
    }
    let v70: f32 = kept(kept(0.0f) + c17);
    for (var k71: i32 = lane; k71 < n2; k71 += 32i) {
      let v72: i32 = v5 + k71;
      let v73: f32 = b1[v72];
      let v74: f32 = v73 / v70;
      b1[v72] = v74;
    }
    workgroupBarrier(); storageBarrier();
  }
}
