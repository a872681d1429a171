//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// A variable that nothing has been assigned to.
//because: is uninitialised, undefined or not modelled

__kernel void uninitialised_value(__global int *out) {
    int at;
    out[at] = get_global_id(0);
}
