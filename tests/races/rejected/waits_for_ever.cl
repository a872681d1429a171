// race-free
// run: --local-size 2 --num-groups 1
// Nobody sets the flag.

__kernel void wait(volatile __global atomic_int *flag)
{
    while (atomic_load(flag) == 0) {
    }
}
// fails: not only races
