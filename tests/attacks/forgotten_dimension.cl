//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[4,4]
// Groups have two dimensions, the index one.

__kernel void forgotten_dimension(__global uint *out)
{
    __local uint row[8];
    row[get_local_id(0)] = get_local_id(1); //~ race
}
