//pass
//--local_size=64 --num_groups=4
// assumes: fill, which has no body, accesses no memory but the private variables it is given, does not synchronise, and returns anything
// otherwise verified: --local_size=64 --num_groups=4 -D OTHERWISE
#ifdef OTHERWISE
void fill(int *p)
{
    *p = 3;
}
#else
void fill(int *);
#endif

__kernel void function_without_body_of_variables(__global int *out, int n)
{
    fill(&n);
    out[get_global_id(0)] = n;
}
