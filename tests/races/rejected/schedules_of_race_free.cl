// race-free
// run: --local-size 64 --num-groups 1
// schedules: in-order
// Race-free under some schedules only.

__kernel void fill(__global int *a)
{
    a[get_global_id(0)] = 1;
}
// fails: a race-free kernel is so under all schedules
