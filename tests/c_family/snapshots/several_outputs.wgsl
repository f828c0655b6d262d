@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
@group(0) @binding(2) var<storage, read_write> b2: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read_write> b3: array<i32>;
@group(0) @binding(4) var<storage, read_write> b4: array<atomic<u32>>;
struct Launch { slots: array<vec4<u32>, 3> }
@group(0) @binding(5) var<uniform> launch: Launch;

fn kept(x: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(x) ^ launch.slots[0].y);
}

fn float_of(bits: u32) -> f32 {
  return bitcast<f32>(bits);
}

fn is_nan(x: f32) -> bool {
  return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

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
  for (var k4: i32 = v1 + lane; k4 < v3; k4 += 64i) {
    let v5: f32 = b0[k4];
    let v6: f32 = kept(v5 * s2);
    let v7: f32 = maximum_f32(v6, float_of(0x80000000u));
    b1[k4] = v7;
    let v8: bool = v6 > 1.0f;
    let v9: u32 = (u32(k4 & 3i) * 8u);
    atomicAnd(&b2[k4 >> 2u], ~(255u << v9));
    atomicOr(&b2[k4 >> 2u], select(0u, 1u, v8) << v9);
    let v10: f32 = round(v6);
    let v11: i32 = i32_of_f32(v10);
    let v12: i32 = floordiv_i32(v11, s3);
    b3[k4] = v12;
    let v13: u32 = (u32(v11)) & 255u;
    let v14: u32 = (u32(k4 & 3i) * 8u);
    atomicAnd(&b4[k4 >> 2u], ~(255u << v14));
    atomicOr(&b4[k4 >> 2u], (bitcast<u32>(v13) & 255u) << v14);
  }
}
