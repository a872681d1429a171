//pass
//--local_size=64 --num_groups=16
// The older atomics, all on the same cells, and a compare-and-exchange loop for a float sum.

__kernel void old_atomics(volatile __global int *cell, volatile __global uint *sum, __global const float *in,
                          __global int *out)
{
    uint gid = get_global_id(0);
    out[gid] = 1;
    atomic_add(cell, 2);
    atomic_sub(cell, 1);
    atomic_min(cell, (int)gid);
    atomic_or(cell, 1);
    atomic_xchg(cell + 1, (int)gid);
    uint old, new;
    do {
        old = atomic_or(sum, 0u);
        new = as_uint(as_float(old) + in[gid]);
    } while (atomic_cmpxchg(sum, old, new) != old);
}
