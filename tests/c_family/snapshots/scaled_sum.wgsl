@group(0) @binding(0) var<storage, read> b0: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read> b1: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> b2: array<vec4<f32>>;
struct Launch { slots: array<vec4<u32>, 2> }
@group(0) @binding(3) var<uniform> launch: Launch;

fn kept(x: f32) -> f32 { return bitcast<f32>(bitcast<u32>(x) ^ launch.slots[0].y); }

@compute @workgroup_size(64, 1, 1)
fn jf_scaled_sum(@builtin(workgroup_id) groups: vec3<u32>, @builtin(num_workgroups) grid: vec3<u32>, @builtin(local_invocation_index) lane_number: u32) {
  let group: i32 = bitcast<i32>(launch.slots[0].x) + i32(groups.x + groups.y * grid.x);
  if (group >= bitcast<i32>(launch.slots[0].z)) { return; }
  let lane: i32 = i32(lane_number);
  let n0: i32 = bitcast<i32>(launch.slots[1].x);
  let s1: f32 = bitcast<f32>(launch.slots[1].z);
  let v1: i32 = group * 2048i;
  let v2: i32 = v1 + 2048i;
  let v3: i32 = select(n0, v2, (v2 < n0));
  let v4: i32 = select(0i, ((v3 - v1) / 4i), (v1 < v3));
  for (var k5: i32 = lane; k5 < v4; k5 += 64i) {
    let v7: i32 = v1 + k5 * 4i;
    let v8: vec4<f32> = b0[(v7) >> 2u];
    let v9: f32 = v8[0];
    let v10: f32 = kept(s1 * v9);
    let v11: vec4<f32> = b1[(v7) >> 2u];
    let v12: f32 = v11[0];
    let v13: f32 = v10 + v12;
    let v14: i32 = v7 + 1i;
    let v15: f32 = v8[1];
    let v16: f32 = kept(s1 * v15);
    let v17: f32 = v11[1];
    let v18: f32 = v16 + v17;
    let v19: i32 = v7 + 2i;
    let v20: f32 = v8[2];
    let v21: f32 = kept(s1 * v20);
    let v22: f32 = v11[2];
    let v23: f32 = v21 + v22;
    let v24: i32 = v7 + 3i;
    let v25: f32 = v8[3];
    let v26: f32 = kept(s1 * v25);
    let v27: f32 = v11[3];
    let v28: f32 = v26 + v27;
    b2[(v7) >> 2u] = vec4<f32>(v13, v18, v23, v28);
  }
  let v29: i32 = select(v3, v1 + v4 * 4i, (lane == 0i));
  for (var k6: i32 = v29; k6 < v3; k6 += 1i) {
    let v30: f32 = b0[(k6) >> 2u][(k6) & 3];
    let v31: f32 = kept(s1 * v30);
    let v32: f32 = b1[(k6) >> 2u][(k6) & 3];
    let v33: f32 = v31 + v32;
    b2[(k6) >> 2u][(k6) & 3] = v33;
  }
}
