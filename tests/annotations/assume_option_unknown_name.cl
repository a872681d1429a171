//xfail:INPUT
//--local_size=64 --num_groups=4 --assume=m>5
__kernel void assume_option_unknown_name(__global int *out, uint n)
{
    out[get_global_id(0)] = n;
}
