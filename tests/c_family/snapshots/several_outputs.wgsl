@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
@group(0) @binding(2) var<storage, read_write> b2: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> b3: array<i32>;
@group(0) @binding(4) var<storage, read_write> b4: array<atomic<u32>>;
struct Launch { slots: array<vec4<u32>, 3> }
@group(0) @binding(5) var<uniform> launch: Launch;

fn kept(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ launch.slots[0].y); }

fn float_of(bits: u32) -> f32 { return bitcast<f32>(bits); }

fn is_nan(x: f32) -> bool { return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u; }

fn maximum_f32(x: f32, y: f32) -> f32 {
  return select(select(select(y, x, x > y), y, (is_nan(y))), x, (is_nan(x)));
}

fn i32_of_f32(x: f32) -> i32 {
  return select(i32(-2147483648), i32(x), ((bitcast<u32>(x) & 2147483647u) < 1325400064u));
}

fn floordiv_i32(x: i32, y: i32) -> i32 {
  let safe: i32 = select(y, 1i, (y == 0i || (x == i32(-2147483648) && y == (-1i))));
  let quotient: i32 = x / safe;
  let rest: i32 = x - quotient * safe;
  let down: bool = rest != 0i && (rest ^ safe) < 0i;
  return select(select(quotient, quotient - 1i, down), 0i, (y == 0i));
}

@compute @workgroup_size(64, 1, 1)
fn jf_several_outputs(@builtin(workgroup_id) groups: vec3<u32>, @builtin(num_workgroups) grid: vec3<u32>, @builtin(local_invocation_index) lane_number: u32) {
  let group: i32 = bitcast<i32>(launch.slots[0].x) + i32(groups.x + groups.y * grid.x);
  if (group >= bitcast<i32>(launch.slots[0].z)) { return; }
  let lane: i32 = i32(lane_number);
  let n0: i32 = bitcast<i32>(launch.slots[1].x);
  let n1: i32 = bitcast<i32>(launch.slots[1].z);
  let s2: f32 = bitcast<f32>(launch.slots[2].x);
  let s3: i32 = bitcast<i32>(launch.slots[2].z);
  let v1: i32 = group * n0;
  let v2: i32 = v1 + n0;
  let v3: i32 = select(n1, v2, (v2 < n1));
  let v4: i32 = ((v1) & 3i);
  let v5: i32 = select(4i - v4, 0i, (v4 == 0i));
  let v6: i32 = v1 + v5;
  let v7: i32 = select(0i, ((v3 - v6) / 4i), (v6 < v3 && ((v6) & 3i) == 0i));
  for (var k8: i32 = lane; k8 < v7; k8 += 64i) {
    let v9: i32 = v6 + k8 * 4i;
    let v10: f32 = b0[v9];
    let v11: f32 = kept(v10 * s2);
    let v12: f32 = maximum_f32(v11, float_of(0x80000000u));
    b1[v9] = v12;
    let v13: bool = v11 > 1.0f;
    let v14: u32 = select(0u, 1u, v13);
    let v15: f32 = round(v11);
    let v16: i32 = i32_of_f32(v15);
    let v17: i32 = floordiv_i32(v16, s3);
    b3[v9] = v17;
    let v18: u32 = (u32(v16)) & 255u;
    let v19: u32 = (bitcast<u32>(v18) & 255u);
    let v20: i32 = v9 + 1i;
    let v21: f32 = b0[v20];
    let v22: f32 = kept(v21 * s2);
    let v23: f32 = maximum_f32(v22, float_of(0x80000000u));
    b1[v20] = v23;
    let v24: bool = v22 > 1.0f;
    let v25: u32 = select(0u, 1u, v24);
    let v26: f32 = round(v22);
    let v27: i32 = i32_of_f32(v26);
    let v28: i32 = floordiv_i32(v27, s3);
    b3[v20] = v28;
    let v29: u32 = (u32(v27)) & 255u;
    let v30: u32 = (bitcast<u32>(v29) & 255u);
    let v31: i32 = v9 + 2i;
    let v32: f32 = b0[v31];
    let v33: f32 = kept(v32 * s2);
    let v34: f32 = maximum_f32(v33, float_of(0x80000000u));
    b1[v31] = v34;
    let v35: bool = v33 > 1.0f;
    let v36: u32 = select(0u, 1u, v35);
    let v37: f32 = round(v33);
    let v38: i32 = i32_of_f32(v37);
    let v39: i32 = floordiv_i32(v38, s3);
    b3[v31] = v39;
    let v40: u32 = (u32(v38)) & 255u;
    let v41: u32 = (bitcast<u32>(v40) & 255u);
    let v42: i32 = v9 + 3i;
    let v43: f32 = b0[v42];
    let v44: f32 = kept(v43 * s2);
    let v45: f32 = maximum_f32(v44, float_of(0x80000000u));
    b1[v42] = v45;
    let v46: bool = v44 > 1.0f;
    let v47: u32 = select(0u, 1u, v46);
    let v48: f32 = round(v44);
    let v49: i32 = i32_of_f32(v48);
    let v50: i32 = floordiv_i32(v49, s3);
    b3[v42] = v50;
    let v51: u32 = (u32(v49)) & 255u;
    let v52: u32 = (bitcast<u32>(v51) & 255u);
    let v53: i32 = (v9) >> 2u;
    atomicStore(&b2[v53], (v14 << 0u) | (v25 << 8u) | (v36 << 16u) | (v47 << 24u));
    let v54: i32 = (v9) >> 2u;
    atomicStore(&b4[v54], (v19 << 0u) | (v30 << 8u) | (v41 << 16u) | (v52 << 24u));
  }
  let v55: i32 = v7 * 4i;
  for (var k56: i32 = v1 + lane; k56 < v3 - v55; k56 += 64i) {
    let v57: i32 = k56 + select(0i, v55, (v7 >= 1i && k56 >= v6));
    let v58: f32 = b0[v57];
    let v59: f32 = kept(v58 * s2);
    let v60: f32 = maximum_f32(v59, float_of(0x80000000u));
    b1[v57] = v60;
    let v61: bool = v59 > 1.0f;
    let v62: u32 = (u32(v57 & 3i) * 8u);
    atomicAnd(&b2[v57 >> 2u], ~(255u << v62));
    atomicOr(&b2[v57 >> 2u], select(0u, 1u, v61) << v62);
    let v63: f32 = round(v59);
    let v64: i32 = i32_of_f32(v63);
    let v65: i32 = floordiv_i32(v64, s3);
    b3[v57] = v65;
    let v66: u32 = (u32(v64)) & 255u;
    let v67: u32 = (u32(v57 & 3i) * 8u);
    atomicAnd(&b4[v57 >> 2u], ~(255u << v67));
    atomicOr(&b4[v57 >> 2u], (bitcast<u32>(v66) & 255u) << v67);
  }
}
