//pass
//--local_size=64 --num_groups=16
// A pointer walks through the work-item's own eight elements.

__kernel void walking_pointer(__global uint *a)
{
    __global uint *p = a + 8 * get_global_id(0);
    __global uint *end = p + 8;
    while (p != end) {
        *p++ = get_global_id(0);
    }
}
