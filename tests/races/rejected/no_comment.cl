// race-free
// run: --local-size 64 --num-groups 1

__kernel void fill(__global int *a)
{
    a[get_global_id(0)] = 1;
}
// fails: no comment on why
