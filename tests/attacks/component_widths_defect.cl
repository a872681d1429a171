//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_widths.cl, but a component is read that the other thread writes.

__kernel void component_widths_defect(__global long16 *b)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        b[gid / 2].sf0 = (long2)(gid); //~ race
    } else {
        b[gid / 2].s1 = b[gid / 2].sf; //~ race
    }
}
