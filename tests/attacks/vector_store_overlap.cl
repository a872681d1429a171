//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// vstore4 writes four elements, whatever the pointer's type.

__kernel void vector_store(__global uint *out)
{
    uint gid = get_global_id(0);
    vstore4((uint4)(gid), 0, out + 3 * gid); //~ race
}
