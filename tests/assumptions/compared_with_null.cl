//pass
//--local_size=64 --num_groups=4
// assumes: a pointer parameter that is compared with null is not null where something is accessed through it (line 10)
// assumes: a pointer that is compared with null is not computed from a null pointer (line 10)
// otherwise verified: --local_size=64 --num_groups=4 -D OTHERWISE
__kernel void compared_with_null(__global int *out, uint n)
{
    __global int *rest = out + n;
#ifndef OTHERWISE
    if (rest != 0)
#endif
        rest[get_global_id(0)] = 1;
}
