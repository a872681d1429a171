//xfail:CONTRADICTION
//--local_size=64 --num_groups=4 --assume=n>5 --assume=n<3
__kernel void assume_option_contradictory(__global int *out, uint n)
{
    out[n] = get_local_id(0);
}
