//xfail:NOT_ALL_VERIFIED
//--local_size=64 --num_groups=4
// Vectors of Clang's own extension are no structs in CUDA. Nobody promises that a component can be written without the others, and
// Clang writes the whole vector.

typedef float vector __attribute__((ext_vector_type(4)));

__global__ void component_in_cuda(vector *a)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i & 1) {
        a[i / 2].x = 1; //~ race
    } else {
        a[i / 2].y = 1; //~ race
    }
}
