//xfail:NOT_ALL_VERIFIED
//--block-dim=64 --grid-dim=4
// PTX's atomics of the block.

__global__ void nvvm_cta(int *counter)
{
    __nvvm_atom_cta_add_gen_i(counter, 1); //~ race
}
