//unknown
//--local_size=64 --num_groups=1 --cl-std=CL2.0
// The kernel has no array in global memory: what the pointer leads to is none that could be watched.

struct box {
    __global int *content;
};

__kernel void pointer_to_no_array(__constant struct box *box)
{
    __global int *content = box->content;
    if (content != 0) {
        content[0] = get_local_id(0); //~ unsupported
    }
}
