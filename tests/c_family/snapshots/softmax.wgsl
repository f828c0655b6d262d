@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
struct Launch { slots: array<vec4<u32>, 3> }
@group(0) @binding(2) var<uniform> launch: Launch;
var<workgroup> terms0_f32: array<f32, 64>;
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

@compute @workgroup_size(64, 1, 1)
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
    for (var k8: i32 = 0i; k8 < n2; k8 += 64i) {
      let v9: i32 = k8 + lane;
      if (v9 < n2) {
        let v10: i32 = v6 + v9;
        let v11: f32 = b0[v10];
        terms0_f32[lane] = v11;
      }
      workgroupBarrier();
      if (lane < 32i) {
        for (var k12: i32 = lane; k12 < 64i; k12 += 32i) {
          if (k8 + k12 < n2) {
            let v13: f32 = terms0_f32[k12];
            let v14: f32 = maximum_f32(c7, v13);
            c7 = v14;
          }
        }
      }
      workgroupBarrier();
    }
    if (lane < 32i) {
      partial0_f32[lane] = c7;
    }
    var c15: i32 = 16i;
    loop {
      if (c15 == 0i) { break; }
      workgroupBarrier();
      if (lane < c15) {
        let v16: f32 = partial0_f32[lane + c15];
        let v17: f32 = partial0_f32[lane];
        let v18: f32 = maximum_f32(v17, v16);
        partial0_f32[lane] = v18;
      }
      c15 = c15 / 2i;
    }
    let v19: f32 = workgroupUniformLoad(&partial0_f32[0i]);
    let v20: f32 = maximum_f32(float_of(0xff800000u), v19);
    var c21: f32 = 0.0f;
    for (var k22: i32 = 0i; k22 < n2; k22 += 16384i) {
      let v23: i32 = k22 + 16384i;
      let v24: i32 = select(n2, v23, (v23 < n2));
      var c25: f32 = 0.0f;
      for (var k26: i32 = k22; k26 < v24; k26 += 512i) {
        let v27: i32 = k26 + 512i;
        let v28: i32 = select(v24, v27, (v27 < v24));
        var c29: f32 = 0.0f;
        for (var k30: i32 = k26; k30 < v28; k30 += 64i) {
          let v31: i32 = k30 + lane;
          if (v31 < v28) {
            let v32: i32 = v6 + v31;
            let v33: f32 = b0[v32];
            let v34: f32 = kept(v33 - v20);
            let v35: bool = v34 > 89.0f;
            let v36: f32 = select(v34, 89.0f, v35);
            let v37: bool = v36 < (-104.0f);
            let v38: f32 = select(v36, (-104.0f), v37);
            let v39: f32 = kept(v38 * 0x1.715476p+0f);
            let v40: f32 = kept(v39 + 0x1.8000fcp+23f);
            let v41: f32 = kept(v40 - 0x1.8000fcp+23f);
            let v42: f32 = kept(v41 * (-0x1.62e4p-1f));
            let v43: f32 = kept(v42 + v38);
            let v44: f32 = kept(v41 * (-0x1.7f7d1cp-20f));
            let v45: f32 = kept(v44 + v43);
            let v46: i32 = bitcast<i32>(v40);
            let v47: i32 = v46 << 23u;
            let v48: f32 = kept(v45 * v45);
            let v49: f32 = kept(0x1.6ac708p-10f * v48);
            let v50: f32 = kept(v49 + 0x1.55585ap-5f);
            let v51: f32 = kept(v50 * v48);
            let v52: f32 = kept(v51 + 0x1.fffffcp-2f);
            let v53: f32 = kept(0x1.123e0ap-7f * v48);
            let v54: f32 = kept(v53 + 0x1.55548cp-3f);
            let v55: f32 = kept(v54 * v45);
            let v56: f32 = kept(v55 + v52);
            let v57: f32 = kept(v48 * v56);
            let v58: f32 = kept(v57 + v45);
            let v59: bool = v38 < (-64.0f);
            let v60: i32 = select(0i, 545259520i, v59);
            let v61: i32 = v47 + v60;
            let v62: f32 = bitcast<f32>(v61);
            let v63: f32 = kept(v58 * v62);
            let v64: f32 = kept(v63 + v62);
            let v65: f32 = select(2.0f, 0x1.0p-64f, v59);
            let v66: f32 = kept(v64 * v65);
            b1[v32] = v66;
            terms0_f32[lane] = v66;
          }
          workgroupBarrier();
          if (lane < 32i) {
            for (var k67: i32 = lane; k67 < 64i; k67 += 32i) {
              if (k30 + k67 < v28) {
                let v68: f32 = terms0_f32[k67];
                let v69: f32 = kept(c29 + v68);
                c29 = v69;
              }
            }
          }
          workgroupBarrier();
        }
        if (lane < 32i) {
          partial0_f32[lane] = c29;
        }
        var c70: i32 = 16i;
        loop {
          if (c70 == 0i) { break; }
          workgroupBarrier();
          if (lane < c70) {
            let v71: f32 = partial0_f32[lane + c70];
            let v72: f32 = partial0_f32[lane];
            let v73: f32 = kept(v72 + v71);
            partial0_f32[lane] = v73;
          }
          c70 = c70 / 2i;
        }
        let v74: f32 = workgroupUniformLoad(&partial0_f32[0i]);
        let v75: f32 = kept(c25 + v74);
        c25 = v75;
        workgroupBarrier(); storageBarrier();
      }
      let v76: f32 = kept(c21 + c25);
      c21 = v76;
    }
    let v77: f32 = kept(kept(0.0f) + c21);
    for (var k78: i32 = lane; k78 < n2; k78 += 64i) {
      let v79: i32 = v6 + k78;
      let v80: f32 = b1[v79];
      let v81: f32 = v80 / v77;
      b1[v79] = v81;
    }
    workgroupBarrier(); storageBarrier();
  }
}
