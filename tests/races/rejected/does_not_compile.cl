// race-free
// run: --local-size 64 --num-groups 1
// It is not OpenCL.

__kernel void fill(__global int *a)
{
    a[get_global_id(0)] = one;
}
// fails: another status
