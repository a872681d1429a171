//xfail:NOT_ALL_VERIFIED
//--local_size=1024 --num_groups=65536
// The sum is cut to the bits of the counter, which wraps on its way to a bound that is known. It is
// not assumed that it does not.

__kernel void mark(__global int *out) {
    for (int i = get_global_id(0); i < 2147483647; i += get_global_size(0)) {
        if (i < 0) {
            out[0] = get_local_id(0); //~ race
            break;
        }
    }
}
