//pass
//--local_size=16x16 --num_groups=4x4 --assume=image.size[0]>0&&image.size[0]<=image.width --assume=image.size[0]>=get_global_size(0)
typedef struct {
    int size[2];
    int width;
} Layout;

__kernel void assume_field(__global int *pixels, Layout image)
{
    int x = get_global_id(0);
    int y = get_global_id(1);
    pixels[y * image.width + x] = y;
}
