// lockstep verify LS0101.cl
__kernel void shift(__global int *a) {
  int i = get_global_id(0);
  a[i] = a[i + 1]; // another thread writes a[i + 1]
}

// mended
__kernel void shift(__global const int *a, __global int *result) {
  int i = get_global_id(0);
  result[i] = a[i + 1];
}
