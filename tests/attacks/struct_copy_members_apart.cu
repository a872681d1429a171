//pass
//--local_size=64 --num_groups=4
// Members are locations of their own, those of CUDA's vectors too.

struct entry {
    int key;
    char kind;
    char mode;
};

__global__ void struct_copy_members_apart(entry *a, float4 *v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    switch (i & 3) {
    case 0: a[i / 4].key = 1; v[i / 4].x = 1; break;
    case 1: a[i / 4].kind = 1; v[i / 4].y = 1; break;
    case 2: a[i / 4].mode = 1; v[i / 4].z = 1; break;
    default: v[i / 4].w = 1; break;
    }
}
