// lockstep verify LS0107.cl --local-size=64
__kernel void sums(__global int *a) {
  __local int part[64];
  int i = get_local_id(0);
  part[i] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = part[i] + part[i + 1]; // part[64] does not exist
}

// mended
__kernel void sums(__global int *a) {
  __local int part[64];
  int i = get_local_id(0);
  part[i] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = part[i] + part[(i + 1) % 64];
}
