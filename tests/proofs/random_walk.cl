//pass
//--local_size=16,16 --num_groups=1,1
// needs abstract-values
// Each thread walks about inside of a tile of its own.

__kernel void random_walk(__global int *out, __global const int *turn, int n)
{
    int id = get_local_id(1) * 16 + get_local_id(0);
    int x = 4, y = 4;
    for (int i = 0; i < n; i++) {
        int t = turn[i * 256 + id];
        if (t == 0 && x > 0)
            x--;
        else if (t == 1 && x < 7)
            x++;
        else if (t == 2 && y > 0)
            y--;
        else if (t == 3 && y < 7)
            y++;
        out[id * 64 + y * 8 + x] = i;
    }
}
