// lockstep verify LS0106.cl
__kernel void fill(__global int *a, int n) {
  __global int *from = n > 0 ? a : 0;
  from[get_global_id(0)] = 1; // null if n is not positive
}

// mended
__kernel void fill(__global int *a, int n) {
  __global int *from = n > 0 ? a : 0;
  if (from)
    from[get_global_id(0)] = 1;
}
