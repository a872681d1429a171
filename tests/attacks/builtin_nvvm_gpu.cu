//pass
//--block-dim=64 --grid-dim=4
// PTX's atomics of the device.

__global__ void nvvm_gpu(int *counter, unsigned *other, int *out)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __nvvm_atom_add_gen_i(counter, 1);
    __nvvm_atom_cas_gen_i(counter + 1, 0, 1);
    __nvvm_atom_inc_gen_ui(other, 7);
}
