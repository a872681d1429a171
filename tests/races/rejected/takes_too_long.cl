// race-free
// run: --local-size 2 --num-groups 1
// Nobody sets the flag, but how often it was looked at is counted: no moment is like another one.

__kernel void wait(volatile __global atomic_int *flag, __global uint *looks)
{
    uint count = 0;
    while (atomic_load(flag) == 0) {
        count++;
    }
    looks[get_local_id(0)] = count;
}
// fails: another status
