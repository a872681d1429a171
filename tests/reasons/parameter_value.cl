//xfail:NOT_ALL_VERIFIED
//--local_size=[8,8] --num_groups=[2,2]
// Only rows that are shorter than the launch is wide overlap.
//because: it hinges on the parameter width, here

__kernel void parameter_value(__global int *out, int width) {
    int x = get_global_id(0), y = get_global_id(1);
    out[y * width + x] = x + y;
}
