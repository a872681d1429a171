//pass
//--local_size=* --num_groups=*
// Only a parameter of a certain value lets work-items through.

__kernel void constant_parameter(__global int *out, int mode)
{
    if (mode == 37)
        out[get_global_id(0)] = mode;
}
