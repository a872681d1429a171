//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// fails: defect was expected, not "unknown"

int slot(int);

__kernel void place(__global int *a) {
  int i = get_local_id(0);
  a[slot(i)] = i; //~ race
}
