//xfail:INPUT
//--local_size=64 --num_groups=4
__kernel void misplaced_requires_after_access(__global int *out, int n)
{
    out[get_global_id(0)] = n;
    __requires(n > 0);
}
