//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A component is what was written to it, and the others are what they were.

__kernel void component_value_is_known(__global int *out)
{
    __local int4 a[64];
    uint t = get_local_id(0);
    a[t] = (int4)(1, 2, 3, 4);
    a[t].yx = (int2)(7, 8);
    if (a[t].x == 8 && a[t].y == 7 && a[t].z == 3 && a[t].hi.y == 4) {
        out[0] = t; //~ race
    }
}
