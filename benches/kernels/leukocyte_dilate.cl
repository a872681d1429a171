//pass
//--local_size=* --num_groups=* --assume 'img_m > 0 && img_n > 0 && strel_m > 0 && strel_n > 0'
// Dilation of an image, stored by columns, with a structuring element in constant memory.

__kernel void dilate_kernel(int img_m, int img_n, int strel_m, int strel_n, __constant float *c_strel,
                            __global float *img, __global float *dilated)
{
    int el_center_i = strel_m / 2;
    int el_center_j = strel_n / 2;
    int thread_id = get_global_id(0);
    int i = thread_id % img_m;
    int j = thread_id / img_m;
    if (j >= img_n) {
        return;
    }

    float max = 0.0f;
    for (int el_i = 0; el_i < strel_m; el_i++) {
        int y = i - el_center_i + el_i;
        if (y >= 0 && y < img_m) {
            for (int el_j = 0; el_j < strel_n; el_j++) {
                int x = j - el_center_j + el_j;
                if (x >= 0 && x < img_n && c_strel[el_i * strel_n + el_j] != 0) {
                    float temp = img[x * img_m + y]; //~ race
                    if (temp > max) {
                        max = temp;
                    }
                }
            }
        }
    }
#ifdef DEFECT
    img[j * img_m + i] = max; //~ race
#else
    dilated[j * img_m + i] = max;
#endif
}
