//pass
//--local_size=32 --num_groups=1
// All factors have 24 bits.

__kernel void factors(__global int *list)
{
    int i = get_local_id(0);
    list[mul24(i << 18, 2) >> 19] = i;
}
