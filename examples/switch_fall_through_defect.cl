//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// As switch_fall_through.cl, but records are laid out as if they had three cells: the last cell
// of one is the first of the next.

#define CELLS 3

__kernel void fill_records(__global const int *kinds, __global int *records)
{
    int gid = get_global_id(0);
    __global int *record = records + CELLS * gid;
    switch (kinds[gid]) {
    case 4:
        record[3] = gid; //~ race
    case 3:
        record[2] = gid;
    case 2:
        record[1] = gid;
    case 1:
        record[0] = gid; //~ race
        break;
    default:
        break;
    }
}
