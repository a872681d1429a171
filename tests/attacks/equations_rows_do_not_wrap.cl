//pass
//--local_size=16,16 --num_groups=1,1
// As equations_rows_wrap.cl, with one row less.

__kernel void equations_rows_do_not_wrap(__global uint *a)
{
    uint x = get_local_id(0), row = get_local_id(1);
    a[row * 0x10000000u + x] = x + 17 * row;
}
