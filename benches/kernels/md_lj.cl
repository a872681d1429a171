//pass
//--local_size=256 --num_groups=* --assume 'inum > 0 && neigh_count >= 0'
// Lennard-Jones forces with a list of neighbours for each atom, stored neighbour by neighbour.

__kernel void compute_lj_force(__global float4 *restrict force, __global const float4 *restrict position,
                               const int neigh_count, __global const int *restrict neigh_list, const float cutsq,
                               const float lj1, const float lj2, const int inum)
{
    uint idx = get_global_id(0);
    if (idx >= inum) {
        return;
    }
    float4 ipos = position[idx];
    float4 f = {0.0f, 0.0f, 0.0f, 0.0f};

    for (int j = 0; j < neigh_count; j++) {
        int jidx = neigh_list[j * inum + idx];
        float4 jpos = position[jidx];
        float delx = ipos.x - jpos.x;
        float dely = ipos.y - jpos.y;
        float delz = ipos.z - jpos.z;
        float r2inv = delx * delx + dely * dely + delz * delz;
        if (r2inv < cutsq) {
            r2inv = 1.0f / r2inv;
            float r6inv = r2inv * r2inv * r2inv;
            float force_c = r2inv * r6inv * (lj1 * r6inv - lj2);
            f.x += delx * force_c;
            f.y += dely * force_c;
            f.z += delz * force_c;
#ifdef DEFECT
            force[jidx] -= f; //~ race neighbour own
#endif
        }
    }
    force[idx] = f; //~ race own
}
