//xfail:NOT_ALL_VERIFIED
//--local_size=1024 --num_groups=65535
// The counter is compared with a known bound that has more bits, and wraps on its way to it. It is
// not assumed that it does not.

__kernel void mark(__global int *out) {
    for (uint i = get_global_id(0); i < 4294967295UL; i += get_global_size(0)) {
        if (i < get_global_id(0)) {
            out[0] = get_local_id(0); //~ race
            break;
        }
    }
}
