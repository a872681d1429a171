//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4 --no-benign-tolerance
// As component_same_value.cl, where that counts as a race.

__kernel void component_same_value_defect(__global int4 *flags)
{
    flags[0].z = 1; //~ race
}
