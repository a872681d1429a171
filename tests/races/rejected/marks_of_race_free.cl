// race-free
// run: --local-size 64 --num-groups 1
// A line is marked.

__kernel void fill(__global int *a)
{
    a[get_global_id(0)] = 1; //~ race
}
// fails: a race-free one marks none
