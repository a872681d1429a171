//pass
//--local_size=32 --num_groups=2 --no-check=bounds
// Nothing leaves the array.

__kernel void tile(__global int *out)
{
    __local int cells[32];
    cells[get_local_id(0)] = 1;
    out[get_global_id(0)] = cells[get_local_id(0)];
}
