// program: rays through a grid of voxels, cell by cell, that add up the absorbed energy
// defect: trace: race: the energy of a voxel is increased without an atomic operation
typedef struct {
    int nx, ny, nz;
    int rays_x, rays_y;
} scene;

__kernel void trace(scene s, __global const int *density, __global int *absorbed, __global int *escaped)
{
    const int rx = get_global_id(0), ry = get_global_id(1);
    if (rx >= s.rays_x || ry >= s.rays_y)
        return;
    // Rays start on the face z = 0, and lean by a fraction of a cell for each layer.
    float x = (rx + 0.5f) * s.nx / s.rays_x, y = (ry + 0.5f) * s.ny / s.rays_y;
    const float dx = (rx % 7 - 3) * 0.1f, dy = (ry % 5 - 2) * 0.1f;
    int energy = 1000;
    for (int z = 0; z < s.nz && energy > 0; z++) {
        const int cx = (int)floor(x), cy = (int)floor(y);
        if (cx < 0 || cx >= s.nx || cy < 0 || cy >= s.ny)
            break;
        const int voxel = (z * s.ny + cy) * s.nx + cx;
        const int loss = min(energy, density[voxel]);
#ifdef DEFECT
        absorbed[voxel] += loss; //~ race
#else
        atomic_add(&absorbed[voxel], loss);
#endif
        energy -= loss;
        x += dx;
        y += dy;
    }
    escaped[ry * s.rays_x + rx] = energy;
}
