//pass
//--local_size=64 --num_groups=1
// As component_value_is_known.cl, where it is something else.

__kernel void component_value_is_known_otherwise(__global int *out)
{
    __local int4 a[64];
    uint t = get_local_id(0);
    a[t] = (int4)(1, 2, 3, 4);
    a[t].yx = (int2)(7, 8);
    if (a[t].x != 8 || a[t].y != 7 || a[t].z != 3 || a[t].hi.y != 4) {
        out[0] = t;
    }
}
