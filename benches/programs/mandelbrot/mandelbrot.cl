// program: Mandelbrot set with smooth colours, and a count of the points inside of it by groups
// defect: mandelbrot: race: the rows are as long as the image is high, and 800 x 600 is not square
typedef struct {
    float left, top, step;
    int width, height;
    int limit;
} view;

__kernel void mandelbrot(__global uchar4 *image, __global int *iterations, view v)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    if (x >= v.width || y >= v.height)
        return;
    float cr = v.left + x * v.step;
    float ci = v.top + y * v.step;
    float zr = 0.0f, zi = 0.0f;
    int i = 0;
    while (i < v.limit && zr * zr + zi * zi <= 4.0f) {
        float t = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = t;
        i++;
    }
#ifdef DEFECT
    int pixel = y * v.height + x;
#else
    int pixel = y * v.width + x;
#endif
    uchar shade = (uchar)(255 * i / v.limit);
    iterations[pixel] = i; //~ race
    image[pixel] = (uchar4)(shade, shade / 2, 255 - shade, 255); //~ race
}

__kernel void count_inside(__global const int *iterations, __global int *inside, int pixels, int limit)
{
    __local int of_group;
    if (get_local_id(0) == 0)
        of_group = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = get_global_id(0);
    if (i < pixels && iterations[i] == limit)
        atomic_inc(&of_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0 && of_group > 0)
        atomic_add(inside, of_group);
}
