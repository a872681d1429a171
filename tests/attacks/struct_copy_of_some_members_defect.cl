//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=2
// As struct_copy_of_some_members.cl, but it is the other member that is used.

struct pair {
    int a;
    float b;
};

__kernel void copy(__global float *out)
{
    __local struct pair pairs[64];
    int lid = get_local_id(0);
    pairs[lid].a = lid;
    struct pair mine = pairs[lid]; //~ uninitialised-read
    out[get_global_id(0)] = mine.b;
}
