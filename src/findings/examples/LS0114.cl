// lockstep verify LS0114.cl --local-size=64
__kernel void neighbours(__global int *a) {
  __local int part[64];
  int i = get_local_id(0);
  int before = part[i]; // nobody has written it yet
  part[i] = a[get_global_id(0)];
  a[get_global_id(0)] = part[i] - before;
}

// mended
__kernel void neighbours(__global int *a) {
  __local int part[64];
  int i = get_local_id(0);
  part[i] = 0;
  int before = part[i];
  part[i] = a[get_global_id(0)];
  a[get_global_id(0)] = part[i] - before;
}
