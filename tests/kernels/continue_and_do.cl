//pass
//--local_size=64 --num_groups=16
// continue, do, the comma operator and a nested switch, all within the work-item's own elements.

__kernel void loops(__global uint *out, __global const uint *in)
{
    uint gid = get_global_id(0);
    uint i = 0, j = 15;
    do {
        if (in[gid] == i) {
            continue;
        }
        switch (in[i] % 3) {
        case 0:
            out[16 * gid + i] = j;
            break;
        case 1:
            continue;
        default:
            out[16 * gid + j] = i;
        }
    } while (i++, j--, i < j);
}
