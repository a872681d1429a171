//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// The second read of a cell is no repetition of the first: a barrier lies between them.

__kernel void read_again_after_barrier(__global int *out)
{
    __local int a[64];
    int id = get_local_id(0);
    a[id] = id;
    barrier(CLK_LOCAL_MEM_FENCE);
    int first = a[(id + 1) % 64];
    barrier(CLK_LOCAL_MEM_FENCE);
    int second = a[(id + 1) % 64]; //~ race
    a[id] = id + 1; //~ race
    out[id] = first + second;
}
