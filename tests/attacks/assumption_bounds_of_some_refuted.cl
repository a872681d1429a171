//unknown
//--local_size=64 --num_groups=2 --no-check=bounds
// Half of the accesses leave the array in every run, which nobody checks.

__kernel void tile(__global int *out)
{
    __local int cells[32];
    cells[get_local_id(0)] = 1;
    out[get_global_id(0)] = cells[get_local_id(0)];
}
