// lockstep verify LS0115.cl --check=overflow
__kernel void rows(__global int *a, int width) {
  int row = get_group_id(0);
  a[row * width] = 1; // the product may be 2^31 or more
}

// mended
__kernel void rows(__global int *a, int width) {
  if (get_local_id(0) == 0)
    a[get_group_id(0)] = width;
}
