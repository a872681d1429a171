//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Where the length is no power of two, the mask leaves out slots.
__kernel void powers_of_two_defect(__global uint *out, uint length, uint turn)
{
    __requires(length >= get_local_size(0));
    __requires(length <= 4096);
    uint slot = (get_local_id(0) + turn) & (length - 1);
    out[get_group_id(0) * length + slot] = get_local_id(0); //~ race
}
