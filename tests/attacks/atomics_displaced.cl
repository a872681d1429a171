//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1 --no-check=alignment
// Atomics of equal width that overlap without being at the same place.

__kernel void atomics_displaced(__global uchar *bytes)
{
    atomic_inc((volatile __global uint *)(bytes + 2 * get_local_id(0))); //~? race
}
