//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A thread reads back another cell than the one it wrote since the barrier.

__kernel void own_write_other_cell(__global int *out, __global int *slot)
{
    int id = get_local_id(0);
    slot[2 * id] = id;
    out[slot[2 * id + 1]] = id; //~ race
}
