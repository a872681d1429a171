// What nvcc includes before every source is there.
texture<float, 2, cudaReadModeElementType> image;
texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> normalised;
surface<void, 2> canvas;

__global__ void kernel(float *a, float4 *v, cudaTextureObject_t texture, cudaSurfaceObject_t target, int n) {
    int i = threadIdx.x;
    assert(i < n);
    a[i] = sqrtf(a[i]) + sqrt(n) + abs(n) + pow(a[i], 2.f) + __sinf(a[i]) + __fdividef(a[i], 2) + __int_as_float(n);
    a[i] += tex2D(image, i + .5f, 0) + tex2D<float>(texture, 1, 2) + tex1Dfetch<float>(texture, i);
    v[i] = tex2D(normalised, 0, i);
    a[i] += tex3D<uchar4>(texture, 1, 2, 3).x + tex2DGrad<float>(texture, 1, 2, make_float2(1, 2), make_float2(3, 4));
    a[i] += surf2Dread<float>(target, i * 4, 0);
    surf2Dread(&v[7], canvas, 1, 2);
    surf2Dwrite(a[i], target, 4, 5, cudaBoundaryModeTrap);
    a[i] += __clz(n) + __popc(n) + __ffs(n) + __brev(n) + __umulhi(n, n) + __ldg(&a[i + 1]) + __byte_perm(1, 2, 3);
    a[i] += __dp4a(make_char4(1, 2, 3, 4), make_char4(1, 2, 3, 4), 3) + __vadd2(1, 2) + __vsadu4(1, 2) + clock();
    __stcs(&a[i], 3);
    uint64_t *memory = new uint64_t[3];
    delete[] memory;
    free(malloc(10));
    printf("%d", i);
    __trap();
}

int main(int argc, char **) {
    float *a = NULL;
    image.addressMode[0] = cudaAddressModeWrap;
    image.filterMode = cudaFilterModeLinear;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<float>();
    cudaArray *array;
    cudaMallocArray(&array, &channels, 10, 10);
    cudaBindTextureToArray(image, array, channels);
    cudaResourceDesc resource;
    memset(&resource, 0, sizeof(resource));
    resource.resType = cudaResourceTypeLinear;
    resource.res.linear.devPtr = a;
    cudaTextureDesc description = {};
    cudaTextureObject_t texture = 0;
    cudaCreateTextureObject(&texture, &resource, &description, NULL);
    cudaMemcpy3DParms parameters = {0};
    parameters.srcPtr = make_cudaPitchedPtr(a, 1, 2, 3);
    parameters.extent = make_cudaExtent(1, 2, 3);
    cudaMemcpy3D(&parameters);
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start, 0);
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, NULL, NULL, 0);
    kernel<<<1, 2, 0, cudaStreamPerThread>>>(a, 0, texture, 0, 1);
    printf("%s %f\n", properties.name, sqrt(2.0) + fabs(2.0) + rsqrtf(2.0f));
    return abs(-1) + max(argc, 3) + EXIT_SUCCESS + atoi("3") + (int)strlen("abc");
}
