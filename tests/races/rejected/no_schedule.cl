// racy
// run: --local-size 64 --num-groups 1
// schedules:
// A race that need not be found.

__kernel void shift(__global int *a)
{
    int i = get_local_id(0);
    a[i] = a[i + 1]; //~ race
}
// fails: schedules are some of
