@group(0) @binding(0) var<storage, read> b0: array<f32>;
@group(0) @binding(1) var<storage, read_write> b1: array<f32>;
struct Launch { slots: array<vec4<u32>, 2> }
@group(0) @binding(2) var<uniform> launch: Launch;
var<workgroup> shared1: array<f32, 64>;

@compute @workgroup_size(64, 1, 1)
fn jf_sum(@builtin(workgroup_id) groups: vec3<u32>, @builtin(num_workgroups) grid: vec3<u32>, @builtin(local_invocation_index) lane_number: u32) {
  let group: i32 = bitcast<i32>(launch.slots[0].x) + i32(groups.x + groups.y * grid.x);
  if (group >= bitcast<i32>(launch.slots[0].z)) { return; }
  let lane: i32 = i32(lane_number);
  let n0: i32 = bitcast<i32>(launch.slots[1].x);
  let v2: i32 = group * 64i;
  let v3: i32 = v2 + lane;
  let v4: bool = v3 < n0;
  var c5: f32 = 0.0f;
  if (v4) {
    c5 = b0[v3];
  }
  shared1[lane] = c5;
  workgroupBarrier(); storageBarrier();
  let v6: bool = lane < 32i;
  if (v6) {
    let v7: i32 = lane + 32i;
    let v8: f32 = shared1[v7];
    let v9: f32 = shared1[lane];
    let v10: f32 = v9 + v8;
    shared1[lane] = v10;
  }
  workgroupBarrier(); storageBarrier();
  let v11: bool = lane < 16i;
  if (v11) {
    let v12: i32 = lane + 16i;
    let v13: f32 = shared1[v12];
    let v14: f32 = shared1[lane];
    let v15: f32 = v14 + v13;
    shared1[lane] = v15;
  }
  workgroupBarrier(); storageBarrier();
  let v16: bool = lane < 8i;
  if (v16) {
    let v17: i32 = lane + 8i;
    let v18: f32 = shared1[v17];
    let v19: f32 = shared1[lane];
    let v20: f32 = v19 + v18;
    shared1[lane] = v20;
  }
  workgroupBarrier(); storageBarrier();
  let v21: bool = lane < 4i;
  if (v21) {
    let v22: i32 = lane + 4i;
    let v23: f32 = shared1[v22];
    let v24: f32 = shared1[lane];
    let v25: f32 = v24 + v23;
    shared1[lane] = v25;
  }
  workgroupBarrier(); storageBarrier();
  let v26: bool = lane < 2i;
  if (v26) {
    let v27: i32 = lane + 2i;
    let v28: f32 = shared1[v27];
    let v29: f32 = shared1[lane];
    let v30: f32 = v29 + v28;
    shared1[lane] = v30;
  }
  workgroupBarrier(); storageBarrier();
  let v31: bool = lane < 1i;
  if (v31) {
    let v32: i32 = lane + 1i;
    let v33: f32 = shared1[v32];
    let v34: f32 = shared1[lane];
    let v35: f32 = v34 + v33;
    shared1[lane] = v35;
  }
  workgroupBarrier(); storageBarrier();
  let v36: bool = lane == 0i;
  if (v36) {
    let v37: f32 = shared1[0i];
    b1[group] = v37;
  }
}
