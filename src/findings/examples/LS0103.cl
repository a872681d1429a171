// lockstep verify LS0103.cl --local-size=64
__kernel void fetch(__global const int *a, __global int *result) {
  __local int part[64];
  // each thread asks for a copy of its own
  event_t done = async_work_group_copy(part, a + get_local_id(0), 64, 0);
  wait_group_events(1, &done);
  result[get_global_id(0)] = part[get_local_id(0)];
}

// mended
__kernel void fetch(__global const int *a, __global int *result) {
  __local int part[64];
  event_t done = async_work_group_copy(part, a, 64, 0);
  wait_group_events(1, &done);
  result[get_global_id(0)] = part[get_local_id(0)];
}
