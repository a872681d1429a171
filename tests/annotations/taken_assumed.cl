//unknown
//--local_size=64 --num_groups=4
// In an assumption the answer would have to be known.
__kernel void taken_assumed(__global uint *counter, __global int *out)
{
    atomic_inc(counter);
    __assume(__atomic_has_taken_value(counter, 0, 7));
    out[0] = get_local_id(0);
}
