//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// So does what an atomic returns, if it is not the only one.
//because: the value an atomic operation on count at
//because: atomic_value.cl:8 returned is unknown

__kernel void atomic_value(__global int *out, __global int *count) {
    int at = atomic_max(count, 5);
    out[at] = get_global_id(0);
}
