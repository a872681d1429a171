//xfail:NOT_ALL_VERIFIED
//--local_size=96 --num_groups=1
// As doubling.cl, but it adds from the buffer that it writes.

__kernel void doubling_defect(__global const int *in, __global int *out)
{
    __local int a[2][96];
    int lid = get_local_id(0);
    int to = 0;
    a[0][lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance < 96; distance *= 2) {
        to = 1 - to;
        int sum = a[1 - to][lid];
        if (lid >= distance) {
            sum += a[to][lid - distance]; //~ race
        }
        a[to][lid] = sum; //~ race
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[lid] = a[to][lid];
}
