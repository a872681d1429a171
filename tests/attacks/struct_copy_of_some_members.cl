//pass
//--local_size=64 --num_groups=2
// A copy of a struct of which one member is written and used: nobody reads the other.

struct pair {
    int a;
    float b;
};

__kernel void copy(__global int *out)
{
    __local struct pair pairs[64];
    int lid = get_local_id(0);
    pairs[lid].a = lid;
    struct pair mine = pairs[lid];
    out[get_global_id(0)] = mine.a;
}
