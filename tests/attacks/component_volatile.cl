//pass
//--local_size=64 --num_groups=2
// In OpenCL C volatile accesses are accesses like others: those to different components of a vector do not meet.

__kernel void halves(__global volatile int4 *out)
{
    __local volatile int4 cells[64];
    int i = get_global_id(0), lid = get_local_id(0);
    cells[lid].x = lid;
    cells[lid].y = lid;
    if (i & 1) out[i / 2].x = cells[lid].x; else out[i / 2].y = cells[lid].y;
}
