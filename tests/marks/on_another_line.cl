//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// fails: race on lines {8} was found, expected is one of

__kernel void shift(__global int *a) {
  int i = get_local_id(0);
  a[i + 128] = i; //~ race
  a[i] = a[i + 1];
}
