//xfail:INPUT
//--local_size=64 --num_groups=4
__kernel void misplaced_axiom(__global uint *out)
{
    __axiom(get_num_groups(0) == 4)
    out[get_global_id(0)] = 1;
}
