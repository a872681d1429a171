//pass
//--local_size=64 --num_groups=4
// Vectors in structs, in arrays of structs and in unions: three threads share one.

typedef struct {
    int kind;
    float3 place;
    double2 both[2];
    union {
        uchar4 bytes;
        uint word;
    };
} Body;

__kernel void component_of_struct(__global Body *a)
{
    uint gid = get_global_id(0);
    __global Body *body = &a[gid / 3];
    switch (gid % 3) {
    case 0:
        body->place.x = 1;
        body->both[1].y = 2;
        body->bytes.z = 1;
        break;
    case 1:
        body->place.zy = (float2)(1, 2);
        body->both[1].x = 2;
        body->bytes.xyw = (uchar3)(5);
        break;
    default:
        body->kind = 4;
        body->both[0].yx = (double2)(2);
    }
}
