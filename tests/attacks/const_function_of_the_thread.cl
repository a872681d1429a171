//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// `const` for the compiler, this may be the number of the thread: the branch is not the same for all.
__attribute__((const)) uint lane(void);

__kernel void const_function_of_the_thread(__global int *out)
{
    if (lane() > 3) {
        barrier(CLK_LOCAL_MEM_FENCE); //~? barrier-divergence
    }
    out[get_local_id(0)] = 1;
}
