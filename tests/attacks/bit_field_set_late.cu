//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=1
// A bit-field that is known when the loop begins, and whose neighbour never is: an iteration changes it, and the next ones
// take the branch that it seemed to rule out.

struct tag {
    unsigned kind : 3;
    unsigned other : 5;
};

__global__ void bit_field_set_late(unsigned *out, int n)
{
    struct tag tag;
    tag.kind = 4;
    for (int i = 0; i < n; i++) {
        if (tag.kind == 5) {
            out[0] = threadIdx.x; //~ race
        }
        if (i == 3) {
            tag.kind = 5;
        }
    }
}
