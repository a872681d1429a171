//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// fails: no assertion was found, though lines are marked with it

__kernel void shift(__global int *a, int n) {
  int i = get_local_id(0);
  __assert(n == n); //~ assertion
  a[i] = a[i + 1]; //~ race
}
