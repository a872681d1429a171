// lockstep verify LS0113.cl --local-size=64
__kernel void load(__global float4 *a) {
  __local float part[260] __attribute__((aligned(16)));
  int i = get_local_id(0);
  // a float4 starts at a multiple of 16 bytes, which part + 1 is not
  *(__local float4 *)(part + 1 + 4 * i) = a[get_global_id(0)];
}

// mended
__kernel void load(__global float4 *a) {
  __local float part[260] __attribute__((aligned(16)));
  int i = get_local_id(0);
  *(__local float4 *)(part + 4 * i) = a[get_global_id(0)];
}
