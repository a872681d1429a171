// lockstep verify LS0104.cl --local-size=64
__kernel void halve(__global int *a) {
  int i = get_local_id(0);
  __assert(i / 2 > 0); // 0 and 1 are halved to 0
  a[get_global_id(0)] = i / 2;
}

// mended
__kernel void halve(__global int *a) {
  int i = get_local_id(0);
  __assert(i / 2 >= 0);
  a[get_global_id(0)] = i / 2;
}
