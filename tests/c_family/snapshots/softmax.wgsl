@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
struct Launch { slots: array<vec4<u32>, 3> }
@group(0) @binding(2) var<uniform> launch: Launch;
var<workgroup> terms0_f32: array<f32, 64>;
var<workgroup> partial0_f32: array<f32, 32>;

fn float_of(bits: u32) -> f32 { return bitcast<f32>(bits); }

fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

fn maximum_f32(x: f32, y: f32) -> f32 {
  return select(select(select(y, x, x > y), y, (is_nan(y))), x, (is_nan(x)));
}

fn kept(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ launch.slots[0].y); }

@compute @workgroup_size(64, 1, 1)
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
    for (var k7: i32 = 0i; k7 < n2; k7 += 64i) {
      let v8: i32 = k7 + lane;
      if (v8 < n2) {
        let v9: i32 = v5 + v8;
        let v10: f32 = b0[v9];
        terms0_f32[lane] = v10;
      }
      workgroupBarrier();
      if (lane < 32i) {
        for (var k11: i32 = lane; k11 < 64i; k11 += 32i) {
          if (k7 + k11 < n2) {
            let v12: f32 = terms0_f32[k11];
            let v13: f32 = maximum_f32(c6, v12);
            c6 = v13;
          }
        }
      }
      workgroupBarrier();
    }
    if (lane < 32i) {
      partial0_f32[lane] = c6;
    }
    var c14: i32 = 16i;
    loop {
      if (c14 == 0i) { break; }
      workgroupBarrier();
      if (lane < c14) {
        let v15: f32 = partial0_f32[lane + c14];
        let v16: f32 = partial0_f32[lane];
        let v17: f32 = maximum_f32(v16, v15);
        partial0_f32[lane] = v17;
      }
      c14 = c14 / 2i;
    }
    let v18: f32 = workgroupUniformLoad(&partial0_f32[0i]);
    let v19: f32 = maximum_f32(float_of(0xff800000u), v18);
    var c20: f32 = 0.0f;
    for (var k21: i32 = 0i; k21 < n2; k21 += 16384i) {
      let v22: i32 = k21 + 16384i;
      let v23: i32 = select(n2, v22, (v22 < n2));
      var c24: f32 = 0.0f;
      for (var k25: i32 = k21; k25 < v23; k25 += 512i) {
        let v26: i32 = k25 + 512i;
        let v27: i32 = select(v23, v26, (v26 < v23));
        var c28: f32 = 0.0f;
        for (var k29: i32 = k25; k29 < v27; k29 += 64i) {
          let v30: i32 = k29 + lane;
          if (v30 < v27) {
            let v31: i32 = v5 + v30;
            let v32: f32 = b0[v31];
            let v33: f32 = kept(v32 - v19);
            let v34: bool = v33 > 89.0f;
            let v35: f32 = select(v33, 89.0f, v34);
            let v36: bool = v35 < (-104.0f);
            let v37: f32 = select(v35, (-104.0f), v36);
            let v38: f32 = kept(v37 * 0x1.715476p+0f);
            let v39: f32 = kept(v38 + 0x1.8000fcp+23f);
            let v40: f32 = kept(v39 - 0x1.8000fcp+23f);
            let v41: i32 = bitcast<i32>(v39);
            let v42: i32 = v41 << 23u;
            let v43: f32 = kept(v40 * (-0x1.62e4p-1f));
            let v44: f32 = kept(v43 + v37);
            let v45: f32 = kept(v40 * (-0x1.7f7d1cp-20f));
            let v46: f32 = kept(v45 + v44);
            let v47: f32 = kept(v46 * v46);
            let v48: f32 = kept(0x1.6ac708p-10f * v47);
            let v49: f32 = kept(v48 + 0x1.55585ap-5f);
            let v50: f32 = kept(v49 * v47);
            let v51: f32 = kept(v50 + 0x1.fffffcp-2f);
            let v52: f32 = kept(0x1.123e0ap-7f * v47);
            let v53: f32 = kept(v52 + 0x1.55548cp-3f);
            let v54: f32 = kept(v53 * v46);
            let v55: f32 = kept(v54 + v51);
            let v56: f32 = kept(v47 * v55);
            let v57: f32 = kept(v56 + v46);
            let v58: bool = v37 < (-64.0f);
            let v59: i32 = select(0i, 545259520i, v58);
            let v60: i32 = v42 + v59;
            let v61: f32 = bitcast<f32>(v60);
            let v62: f32 = kept(v57 * v61);
            let v63: f32 = kept(v62 + v61);
            let v64: f32 = select(2.0f, 0x1.0p-64f, v58);
            let v65: f32 = kept(v63 * v64);
            b1[v31] = v65;
            terms0_f32[lane] = v65;
          }
          workgroupBarrier();
          if (lane < 32i) {
            for (var k66: i32 = lane; k66 < 64i; k66 += 32i) {
              if (k29 + k66 < v27) {
                let v67: f32 = terms0_f32[k66];
                let v68: f32 = kept(c28 + v67);
                c28 = v68;
              }
            }
          }
          workgroupBarrier();
        }
        if (lane < 32i) {
          partial0_f32[lane] = c28;
        }
        var c69: i32 = 16i;
        loop {
          if (c69 == 0i) { break; }
          workgroupBarrier();
          if (lane < c69) {
            let v70: f32 = partial0_f32[lane + c69];
            let v71: f32 = partial0_f32[lane];
            let v72: f32 = kept(v71 + v70);
            partial0_f32[lane] = v72;
          }
          c69 = c69 / 2i;
        }
        let v73: f32 = workgroupUniformLoad(&partial0_f32[0i]);
        let v74: f32 = kept(c24 + v73);
        c24 = v74;
        workgroupBarrier(); storageBarrier();
      }
      let v75: f32 = kept(c20 + c24);
      c20 = v75;
    }
    let v76: f32 = kept(kept(0.0f) + c20);
    for (var k77: i32 = lane; k77 < n2; k77 += 64i) {
      let v78: i32 = v5 + k77;
      let v79: f32 = b1[v78];
      let v80: f32 = v79 / v76;
      b1[v78] = v80;
    }
    workgroupBarrier(); storageBarrier();
  }
}
