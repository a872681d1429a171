//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// fails: assertion on lines {8} was found, expected is one of

__kernel void shift(__global int *a) {
  int i = get_local_id(0);
  a[i] = a[i + 1]; //~ race
  __assert(i < 63);
}
