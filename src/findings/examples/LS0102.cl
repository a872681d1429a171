// lockstep verify LS0102.cl --local-size=64
__kernel void reverse(__global int *a, int n) {
  __local int part[64];
  int i = get_local_id(0);
  if (get_global_id(0) < n) {
    part[i] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE); // only some threads of a group reach it
    a[get_global_id(0)] = part[i];
  }
}

// mended
__kernel void reverse(__global int *a, int n) {
  __local int part[64];
  int i = get_local_id(0);
  if (get_global_id(0) < n)
    part[i] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_global_id(0) < n)
    a[get_global_id(0)] = part[i];
}
