@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
struct Launch { slots: array<vec4<u32>, 3> }
@group(0) @binding(2) var<uniform> launch: Launch;
var<workgroup> shared1: array<f32, 272>;

@compute @workgroup_size(64, 1, 1)
fn jf_transpose(@builtin(workgroup_id) groups: vec3<u32>, @builtin(num_workgroups) grid: vec3<u32>, @builtin(local_invocation_index) lane_number: u32) {
  let group: i32 = bitcast<i32>(launch.slots[0].x) + i32(groups.x + groups.y * grid.x);
  if (group >= bitcast<i32>(launch.slots[0].z)) { return; }
  let lane: i32 = i32(lane_number);
  let n0: i32 = bitcast<i32>(launch.slots[1].x);
  let n1: i32 = bitcast<i32>(launch.slots[1].z);
  let n2: i32 = bitcast<i32>(launch.slots[2].x);
  let v2: i32 = group / n2;
  let v3: i32 = v2 * 16i;
  let v4: i32 = group % n2;
  let v5: i32 = v4 * 16i;
  let v6: i32 = lane % 16i;
  let v7: i32 = lane / 16i;
  for (var k8: i32 = v7; k8 < 16i; k8 += 4i) {
    let v9: i32 = v3 + k8;
    let v10: i32 = v5 + v6;
    let v11: i32 = v9 * n1;
    let v12: i32 = v11 + v10;
    let v13: bool = v9 < n0;
    let v14: bool = v10 < n1;
    let v15: bool = v13 && v14;
    var c16: f32 = 0.0f;
    if (v15) {
      c16 = b0[v12];
    }
    let v17: i32 = k8 * 17i;
    let v18: i32 = v17 + v6;
    shared1[v18] = c16;
  }
  workgroupBarrier(); storageBarrier();
  for (var k19: i32 = v7; k19 < 16i; k19 += 4i) {
    let v20: i32 = v3 + v6;
    let v21: i32 = v5 + k19;
    let v22: i32 = v6 * 17i;
    let v23: i32 = v22 + k19;
    let v24: f32 = shared1[v23];
    let v25: i32 = v21 * n0;
    let v26: i32 = v25 + v20;
    let v27: bool = v20 < n0;
    let v28: bool = v21 < n1;
    let v29: bool = v27 && v28;
    if (v29) {
      b1[v26] = v24;
    }
  }
}
