//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --cl-std=CL2.0
// As enqueued_group_size.cl, one cell further on.

__kernel void enqueued_group_size_defect()
{
    __local int cells[64];
    cells[get_enqueued_local_size(0) - get_local_id(0)] = get_local_id(0); //~ out-of-bounds
}
