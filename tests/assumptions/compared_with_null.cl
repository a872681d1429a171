//pass
//--local_size=64 --num_groups=4
// assumes: a pointer parameter, which line 10 compares with null, is not null where something is accessed through it
// assumes: the pointer that line 10 compares with null is not computed from a null pointer
// otherwise verified: --local_size=64 --num_groups=4 -D OTHERWISE
__kernel void compared_with_null(__global int *out, uint n)
{
    __global int *rest = out + n;
#ifndef OTHERWISE
    if (rest != 0)
#endif
        rest[get_global_id(0)] = 1;
}
