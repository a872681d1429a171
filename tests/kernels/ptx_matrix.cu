//pass
//--blockDim=64 --gridDim=2
// A warp multiplies 8x4 by 4x8 matrices together, of which each lane has one cell; of the product it has two.
__global__ void ptx_matrix(const double *a, const double *b, double2 *product)
{
    int place = blockIdx.x * blockDim.x + threadIdx.x;
    double x, y;
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %4};"
        : "=d"(x), "=d"(y)
        : "d"(a[place]), "d"(b[place]), "d"(0.0));
    product[place] = make_double2(x, y);
}
