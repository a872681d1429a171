// racy
// run: --local-size 1 --num-groups 2
// In OpenCL a volatile access is no atomic one.

__kernel void message_release_acquire(__global int *data, volatile __global int *flag, __global int *out)
{
    if (get_group_id(0) == 0) {
        *data = 42; //~ race
        *flag = 1; //~ race
    } else {
        while (*flag == 0) { //~ race
        }
        *out = *data; //~ race
    }
}
