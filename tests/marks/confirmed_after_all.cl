//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// fails: unknown was expected, not "defect"

__kernel void shift(__global int *a) {
  int i = get_local_id(0);
  a[i] = a[i + 1]; //~? race
}
