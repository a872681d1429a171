//xfail:CLANG_ERROR
//--local_size=64 --num_groups=16
// Does not compile: the error is Clang's, and the exit status that of bad input.

__kernel void syntax_error(__global uint *out)
{
    out[get_global_id(0)] = 1
}
