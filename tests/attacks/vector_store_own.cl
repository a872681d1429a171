//pass
//--local_size=64 --num_groups=16
// vstore4 counts its offset in vectors of four.

__kernel void vector_store(__global uint *out)
{
    uint gid = get_global_id(0);
    vstore4((uint4)(gid), gid, out);
}
