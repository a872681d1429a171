// racy
// run: --local-size 64 --num-groups 1
// It is race-free.

__kernel void fill(__global int *a)
{
    a[get_global_id(0)] = 1; //~ race
}
// fails: no race was found
