//xfail:NOT_ALL_VERIFIED
//--blockDim=64 --gridDim=2
// Of a warp at the edge some lanes are not there.
__global__ void ptx_matrix(const double *a, const double *b, double2 *product, int n)
{
    int place = blockIdx.x * blockDim.x + threadIdx.x;
    if (place < n) {
        double x, y;
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%4, %4};" //~? warp-divergence
            : "=d"(x), "=d"(y)
            : "d"(a[place]), "d"(b[place]), "d"(0.0));
        product[place] = make_double2(x, y);
    }
}
