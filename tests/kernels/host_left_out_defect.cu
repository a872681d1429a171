//xfail:NOT_ALL_VERIFIED
//--block-dim=64
// The host needs libraries that are not here. The kernel lacks a barrier.
#include <mpi.h>
#include <boost/program_options.hpp>

#define CHECK(call) do { int error = (call); if (error != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, error); } while (0)

MPI_Comm neighbours;
namespace options = boost::program_options;

/* A class for the host. */ class Exchange {
    MPI_Request requests[2];
public:
    void start(float *halo, int n) { CHECK(MPI_Isend(halo, n, MPI_FLOAT, 0, 0, neighbours, requests)); }
    void wait() { MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); }
};

static void receive(MPI_Comm from, float *halo, int n)
{
    MPI_Status status;
    CHECK(MPI_Recv(halo, n, MPI_FLOAT, 0, 0, from, &status));
}

template <int SIZE> __global__ void smooth(float *cells)
{
    __shared__ float tile[SIZE + 1];
    int i = threadIdx.x;
    tile[i] = cells[blockIdx.x * SIZE + i]; //~ race cell
    if (i == 0) tile[SIZE] = 0; //~ race last
    cells[blockIdx.x * SIZE + i] = tile[i] + tile[i + 1]; //~ race cell last
}

int main(int argc, char **argv)
{
    CHECK(MPI_Init(&argc, &argv));
    options::options_description all("options"); int n = 1024;
    all.add_options()("size", options::value<int>(&n));
    float *cells;
    cudaMalloc(&cells, n * sizeof(float));
    for (int step = 0; step < 10; step++) {
        Exchange exchange; exchange.start(cells, n);
        if (step == MPI_UNDEFINED) { receive(neighbours, cells, n); } else { exchange.wait(); }
        smooth<64><<<n / 64, 64>>>(cells);
    }
    return MPI_Finalize();
}
