//pass
//--local_size=64 --num_groups=4
// assumes: cost, which has no body, neither accesses memory nor synchronises, and returns anything
// otherwise verified: --local_size=64 --num_groups=4 -D OTHERWISE
#ifdef OTHERWISE
int cost(int n)
{
    return n;
}
#else
int cost(int);
#endif

__kernel void function_without_body(__global int *out, int n)
{
    out[get_global_id(0)] = cost(n);
}
