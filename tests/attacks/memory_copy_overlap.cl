//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Copying a struct of three words to a distance of two.

struct triple {
    uint a, b, c;
};

__kernel void struct_copy(__global const struct triple *in, __global uint *out)
{
    uint gid = get_global_id(0);
    *(__global struct triple *)(out + 2 * gid) = in[gid]; //~ race
}
