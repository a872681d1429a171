//pass
//--local_size=120 --num_groups=[120,150]
// Lattice-Boltzmann with nineteen directions: each cell collides and hands its distributions on to its
// neighbours, a plane of memory for each direction, with a margin for those that leave the grid.

#define PADDED_X 128
#define PADDED_Y 120
#define SIZE_Z 150
#define MARGIN (2 * PADDED_X * PADDED_Y)
#define PLANE (PADDED_X * PADDED_Y * SIZE_Z + 2 * MARGIN)
#define CELL(x, y, z) (MARGIN + (x) + (y) * PADDED_X + (z) * PADDED_X * PADDED_Y)
#define AT(direction, dx, dy, dz) ((direction) * PLANE + cell + (dx) + (dy) * PADDED_X + (dz) * PADDED_X * PADDED_Y)
#define OMEGA 1.95f

__kernel void stream_collide(__global const float *src, __global float *dst, __global const int *obstacle)
{
    int cell = CELL(get_local_id(0), get_group_id(0), get_group_id(1));
    float c = src[AT(0, 0, 0, 0)];
    float n = src[AT(1, 0, 0, 0)];
    float s = src[AT(2, 0, 0, 0)];
    float e = src[AT(3, 0, 0, 0)];
    float w = src[AT(4, 0, 0, 0)];
    float t = src[AT(5, 0, 0, 0)];
    float b = src[AT(6, 0, 0, 0)];
    float ne = src[AT(7, 0, 0, 0)];
    float nw = src[AT(8, 0, 0, 0)];
    float se = src[AT(9, 0, 0, 0)];
    float sw = src[AT(10, 0, 0, 0)];
    float nt = src[AT(11, 0, 0, 0)];
    float nb = src[AT(12, 0, 0, 0)];
    float st = src[AT(13, 0, 0, 0)];
    float sb = src[AT(14, 0, 0, 0)];
    float et = src[AT(15, 0, 0, 0)];
    float eb = src[AT(16, 0, 0, 0)];
    float wt = src[AT(17, 0, 0, 0)];
    float wb = src[AT(18, 0, 0, 0)];

    if (obstacle[cell]) {
        dst[AT(0, 0, 0, 0)] = c;
        dst[AT(2, 0, -1, 0)] = n;
        dst[AT(1, 0, 1, 0)] = s;
        dst[AT(4, -1, 0, 0)] = e; //~ race
        dst[AT(3, 1, 0, 0)] = w;
        dst[AT(6, 0, 0, -1)] = t;
        dst[AT(5, 0, 0, 1)] = b;
        dst[AT(10, -1, -1, 0)] = ne;
        dst[AT(9, 1, -1, 0)] = nw;
        dst[AT(8, -1, 1, 0)] = se;
        dst[AT(7, 1, 1, 0)] = sw;
        dst[AT(14, 0, -1, -1)] = nt;
        dst[AT(13, 0, -1, 1)] = nb;
        dst[AT(12, 0, 1, -1)] = st;
        dst[AT(11, 0, 1, 1)] = sb;
        dst[AT(18, -1, 0, -1)] = et;
        dst[AT(17, -1, 0, 1)] = eb;
        dst[AT(16, 1, 0, -1)] = wt;
        dst[AT(15, 1, 0, 1)] = wb;
        return;
    }

    float rho = c + n + s + e + w + t + b + ne + nw + se + sw + nt + nb + st + sb + et + eb + wt + wb;
    float ux = (e - w + ne - nw + se - sw + et + eb - wt - wb) / rho;
    float uy = (n - s + ne + nw - se - sw + nt + nb - st - sb) / rho;
    float uz = (t - b + nt - nb + st - sb + et - eb + wt - wb) / rho;
    float u2 = 1.5f * (ux * ux + uy * uy + uz * uz) - 1.0f;
    float base = OMEGA * rho;

    dst[AT(0, 0, 0, 0)] = (1.0f - OMEGA) * c + base * (1.0f / 3.0f) * -u2;
    dst[AT(1, 0, 1, 0)] = (1.0f - OMEGA) * n + base * (1.0f / 18.0f) * (uy * (4.5f * uy + 3.0f) - u2);
    dst[AT(2, 0, -1, 0)] = (1.0f - OMEGA) * s + base * (1.0f / 18.0f) * (uy * (4.5f * uy - 3.0f) - u2);
    dst[AT(3, 1, 0, 0)] = (1.0f - OMEGA) * e + base * (1.0f / 18.0f) * (ux * (4.5f * ux + 3.0f) - u2);
#ifdef DEFECT
    dst[AT(4, 1, 0, 0)] = (1.0f - OMEGA) * w + base * (1.0f / 18.0f) * (ux * (4.5f * ux - 3.0f) - u2); //~ race
#else
    dst[AT(4, -1, 0, 0)] = (1.0f - OMEGA) * w + base * (1.0f / 18.0f) * (ux * (4.5f * ux - 3.0f) - u2);
#endif
    dst[AT(5, 0, 0, 1)] = (1.0f - OMEGA) * t + base * (1.0f / 18.0f) * (uz * (4.5f * uz + 3.0f) - u2);
    dst[AT(6, 0, 0, -1)] = (1.0f - OMEGA) * b + base * (1.0f / 18.0f) * (uz * (4.5f * uz - 3.0f) - u2);
    dst[AT(7, 1, 1, 0)] = (1.0f - OMEGA) * ne + base * (1.0f / 36.0f) * ((ux + uy) * (4.5f * (ux + uy) + 3.0f) - u2);
    dst[AT(8, -1, 1, 0)] = (1.0f - OMEGA) * nw + base * (1.0f / 36.0f) * ((uy - ux) * (4.5f * (uy - ux) + 3.0f) - u2);
    dst[AT(9, 1, -1, 0)] = (1.0f - OMEGA) * se + base * (1.0f / 36.0f) * ((ux - uy) * (4.5f * (ux - uy) + 3.0f) - u2);
    dst[AT(10, -1, -1, 0)] = (1.0f - OMEGA) * sw + base * (1.0f / 36.0f) * ((ux + uy) * (4.5f * (ux + uy) - 3.0f) - u2);
    dst[AT(11, 0, 1, 1)] = (1.0f - OMEGA) * nt + base * (1.0f / 36.0f) * ((uy + uz) * (4.5f * (uy + uz) + 3.0f) - u2);
    dst[AT(12, 0, 1, -1)] = (1.0f - OMEGA) * nb + base * (1.0f / 36.0f) * ((uy - uz) * (4.5f * (uy - uz) + 3.0f) - u2);
    dst[AT(13, 0, -1, 1)] = (1.0f - OMEGA) * st + base * (1.0f / 36.0f) * ((uz - uy) * (4.5f * (uz - uy) + 3.0f) - u2);
    dst[AT(14, 0, -1, -1)] = (1.0f - OMEGA) * sb + base * (1.0f / 36.0f) * ((uy + uz) * (4.5f * (uy + uz) - 3.0f) - u2);
    dst[AT(15, 1, 0, 1)] = (1.0f - OMEGA) * et + base * (1.0f / 36.0f) * ((ux + uz) * (4.5f * (ux + uz) + 3.0f) - u2);
    dst[AT(16, 1, 0, -1)] = (1.0f - OMEGA) * eb + base * (1.0f / 36.0f) * ((ux - uz) * (4.5f * (ux - uz) + 3.0f) - u2);
    dst[AT(17, -1, 0, 1)] = (1.0f - OMEGA) * wt + base * (1.0f / 36.0f) * ((uz - ux) * (4.5f * (uz - ux) + 3.0f) - u2);
    dst[AT(18, -1, 0, -1)] = (1.0f - OMEGA) * wb + base * (1.0f / 36.0f) * ((ux + uz) * (4.5f * (ux + uz) - 3.0f) - u2);
}
