//pass
//--local_size=64 --num_groups=16
// The array is counted in bytes, and still atomics at the same place do not race.

__kernel void atomics_and_bytes(__global const uint *numbers, uint count)
{
    __local uint bins[64];
    for (uint i = 0; i < 4; i++) {
        ((__local uchar *)bins)[4 * get_local_id(0) + i] = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < count; i += 64) {
        atomic_inc(&bins[numbers[i] % 64]);
    }
}
