//pass
//--local_size=[16,16] --num_groups=[*,*] --assume 'width > 0 && height > 0 && width <= 32768 && height <= 32768'
// The Mandelbrot set with a bound on the iterations and an exit when a point escapes.

__kernel void mandelbrot(__global uint *image, const float pos_x, const float pos_y, const float x_step,
                         const float y_step, const int max_iterations, const int width, const int height)
{
    int i = get_global_id(0);
    int j = get_global_id(1);
    if (i >= width || j >= height) {
        return;
    }
    float x0 = pos_x + x_step * i;
    float y0 = pos_y + y_step * j;
    float x = x0;
    float y = y0;
    float x2 = x * x;
    float y2 = y * y;
    int iterations = 0;
    while (x2 + y2 <= 4.0f && iterations < max_iterations) {
        y = 2.0f * x * y + y0;
        x = x2 - y2 + x0;
        x2 = x * x;
        y2 = y * y;
        iterations++;
    }
    uint colour = iterations == max_iterations ? 0 : (iterations * 0x010305) | 0xff000000;
#ifdef DEFECT
    image[j * height + i] = colour; //~ race
#else
    image[j * width + i] = colour;
#endif
}
