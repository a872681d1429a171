//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// As component_of_struct.cl, but another member of the union is all of the bytes.

typedef struct {
    int kind;
    union {
        uchar4 bytes;
        uint word;
    };
} Body;

__kernel void component_of_struct_defect(__global Body *a)
{
    uint gid = get_global_id(0);
    if (gid & 1) {
        a[gid / 2].bytes.z = 1; //~ race
    } else {
        a[gid / 2].word = gid; //~ race
    }
}
