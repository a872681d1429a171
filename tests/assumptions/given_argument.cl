//pass
//--local_size=64 --num_groups=4 --kernel-args=given_argument,2
// assumes: the argument n is 2 (--kernel-args)
// otherwise defect: --local_size=64 --num_groups=4
// broken: --local-size=64 --num-groups=4 --arg=n=0
__kernel void given_argument(__global int *out, uint n)
{
    out[get_global_id(0) * n] = get_global_id(0);
}
