//xfail:CLANG_ERROR
//--block-dim=64 --grid-dim=1
// The error stands in a string of several lines with braces, and the kernel behind it.
const char *text = R"(
 } }
void host() {
)" MPI_TEXT;

__global__ void k(float *cells)
{
    cells[threadIdx.x / 2] = threadIdx.x;
    const char *text = R"(
 } }
void host() { undeclared(); }
)";
    cells[threadIdx.x] = undeclared_either;
}
