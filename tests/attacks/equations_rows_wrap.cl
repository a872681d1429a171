//xfail:NOT_ALL_VERIFIED
//--local_size=16,17 --num_groups=1,1
// Sixteen rows of 2^28 cells are all numbers there are: row 16 begins where row 0 does.

__kernel void equations_rows_wrap(__global uint *a)
{
    uint x = get_local_id(0), row = get_local_id(1);
    a[row * 0x10000000u + x] = x + 17 * row; //~? race
}
