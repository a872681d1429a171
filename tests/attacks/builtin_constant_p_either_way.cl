//pass
//--local_size=64 --num_groups=1
// Either answer will do.

__kernel void constant_p_either_way(__global int *data)
{
    int three = 3;
    data[get_global_id(0)] = __builtin_constant_p(three) ? 3 : three;
}
