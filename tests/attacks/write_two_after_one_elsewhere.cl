//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Work-item 0's last write agrees with work-item 1's, its first does not.

__kernel void last_write_agrees(__local int *cell)
{
    uint lid = get_local_id(0);
    if (lid == 0) {
        *cell = 1; //~ race
        *cell = 2;
    }
    if (lid == 1) {
        *cell = 2; //~ race
    }
}
