//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// A lane that the vector does not have is written: the vector holds anything afterwards.

__kernel void lane_outside_vector(__global int *out, int lane)
{
    int4 indices = (int4)(get_global_id(0));
    if (lane > 3) {
        indices[lane] = 0;
        out[indices.x] = get_global_id(0); //~ race
    }
}
