//pass
//--local_size=64 --num_groups=1
// What is expected is a hint.

__kernel void expect_one(__global int *data)
{
    if (__builtin_expect(get_global_id(0) == 0, 0))
        data[0] = get_global_id(0);
}
