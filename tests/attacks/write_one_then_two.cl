//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=16
// Everyone ends up with a 2 in the cell, but on the way there a 1 meets another's 2.

__kernel void write_one_then_two(__global int *cell)
{
    *cell = 1; //~ race
    *cell = 2; //~ race
}
