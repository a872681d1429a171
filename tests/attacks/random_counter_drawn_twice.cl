//xfail:NOT_ALL_VERIFIED
//--local_size=2 --num_groups=1
// Each of two threads draws twice from a counter that comes around after two numbers. (By chance, from the seed 13640930360216659894.)

__kernel void random_counter_drawn_twice(__global uint *a, __global uint *c)
{
    uint t = atomic_add(c, 0x80000000u);
    a[t >> 31] = get_local_id(0); //~ race
    atomic_add(c, 0x80000000u);
}
