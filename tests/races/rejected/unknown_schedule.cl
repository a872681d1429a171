// racy
// run: --local-size 64 --num-groups 1
// schedules: in-order backwards
// A schedule that there is not.

__kernel void shift(__global int *a)
{
    int i = get_local_id(0);
    a[i] = a[i + 1]; //~ race
}
// fails: schedules are some of
