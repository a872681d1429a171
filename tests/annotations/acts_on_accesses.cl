//xfail:INPUT
//--local_size=64 --num_groups=1
__kernel void acts_on_accesses(__global int *out)
{
    out[get_local_id(0) / 2 + 2 * __write(out)] = get_local_id(0);
}
