//xfail:NOT_ALL_VERIFIED
//--local_size=* --num_groups=*
// As small_scope_constant.cl, with a seeded race behind the comparison.

__kernel void constant_parameter(__global int *out, int mode)
{
    for (int i = 0; i < mode; i++) {
        if (mode > 36 && mode < 38)
            out[i] = get_global_id(0); //~ race
    }
}
