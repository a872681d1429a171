//pass
//--local_size=64 --num_groups=4 --assume=n==2
// assumes: `n==2` (--assume)
// otherwise defect: --local_size=64 --num_groups=4
// broken: --local-size=64 --num-groups=4 --arg=n=0
__kernel void given_condition(__global int *out, uint n)
{
    out[get_global_id(0) * n] = get_global_id(0);
}
