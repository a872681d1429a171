// racy
// run: --local-size 64 --num-groups 1 --arg a=zeros:int*64
// What goes wrong is not only a race.

__kernel void shift(__global int *a)
{
    int i = get_local_id(0);
    a[i] = a[i + 1]; //~ race
}
// fails: not only races
