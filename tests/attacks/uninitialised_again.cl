//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// Undefined, the variable no longer holds the 1 it had.

struct box {
    int content;
};

__kernel void uninitialised_again(uint n)
{
    int values[4] = {1, 1, 1, 1};
    struct box box;
    values[1] = box.content;
    if (values[n & 3] == 1) {
        barrier(CLK_LOCAL_MEM_FENCE); //~? barrier-divergence
    }
}
