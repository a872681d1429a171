//xfail:INPUT
//--local_size=64 --num_groups=4
struct pair {
    int first;
    int second;
};

__kernel void misplaced_requires_after_copy(__global struct pair *out, __global const struct pair *in, int n)
{
    out[get_global_id(0)] = in[get_global_id(0)];
    __requires(n > 0);
}
