//pass
//--local-size=2x2 --num-groups=1 --timeout=10
// FalselyConfirmed, by chance from the seed 4534502581113757316. Mark the lines that race, and say what it is about.
__kernel void k(__global uint *A, uint n) {
  __local uint L[4];
  uint v0 = (uint)get_local_id(0);
  uint v1 = (uint)get_global_id(0);
  uint v2 = (n & 3u);
  for (uint i0 = 1u; i0 < ((((uint)get_local_id(1) * 2u) + (uint)get_local_id(0)) & 3u); i0 += 2u) {
    for (uint i1 = 0u; i1 < (1u & 3u); i1 += 1u) {
      atomic_or(&L[(((uint)get_local_id(1) * 2u) + (uint)get_local_id(0))], 0u);
    }
    L[(((uint)get_local_id(1) * 2u) + (uint)get_local_id(0))] = 0u;
    if ((((uint)get_local_id(1) * 2u) + (uint)get_local_id(0)) == 3u) {
      L[v2] = 0u;
    }
  }
}
