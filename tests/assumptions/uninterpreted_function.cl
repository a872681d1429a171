//pass
//--local_size=64 --num_groups=4
// assumes: row_of, which has no body, is a function of its arguments and does nothing else
// otherwise unknown: --local_size=64 --num_groups=4 -D OTHERWISE
// A function that told threads apart would send some of them to the barrier. One without a body that is only declared may.
#ifdef OTHERWISE
uint row_of(uint);
#else
DECLARE_UF_UNARY(row_of, uint, uint);
#endif

__kernel void uninterpreted_function(__global int *out, uint n)
{
    if (row_of(n) == 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = n;
}
