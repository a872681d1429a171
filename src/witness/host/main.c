
/* --- The launch ------------------------------------------------------------------------------------------------- */

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "cannot read %s: run this in the folder of the witness\n", path);
        exit(3);
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = memory((size_t)size + 1);
    if (fread(text, 1, (size_t)size, file) != (size_t)size) {
        fprintf(stderr, "cannot read %s\n", path);
        exit(3);
    }
    fclose(file);
    return text;
}

static void build(void)
{
    const char *parts[3] = {"", "#line 1 \"" SOURCE "\"\n", NULL};
    cl_int error;
    if (ANNOTATIONS[0])
        parts[0] = read_file(ANNOTATIONS);
    parts[2] = read_file(SOURCE);
    program = clCreateProgramWithSource(context, 3, parts, NULL, &error);
    check(error, "clCreateProgramWithSource");
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++) {
        char *options = memory(strlen(BUILD_OPTIONS) + strlen(standards[i]) + 2);
        sprintf(options, "%s %s", BUILD_OPTIONS, standards[i]);
        error = clBuildProgram(program, 1, &device, options, NULL, NULL);
        free(options);
        if (error == CL_SUCCESS)
            break;
    }
    if (error != CL_SUCCESS) {
        size_t size = 0;
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
        char *log = memory(size + 1);
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
        fprintf(stderr, "%s\n", log);
        check(error, "clBuildProgram");
    }
    kernel = clCreateKernel(program, KERNEL, &error);
    check(error, "clCreateKernel");
}

static void find_device(void)
{
    cl_platform_id platforms[16];
    cl_uint count = 0;
    char name[256] = "";
    cl_int error;
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    error = CL_DEVICE_NOT_FOUND;
    for (cl_uint i = 0; i < count && i < 16 && error != CL_SUCCESS; i++)
        error = clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    check(error, "clGetDeviceIDs");
    check(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL), "clGetDeviceInfo");
    printf("on %s\n", name);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    check(error, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &error);
    check(error, "clCreateCommandQueue");
}

static void read_back(struct array *array)
{
    unsigned char first[8];
    if (array->size)
        check(clEnqueueReadBuffer(queue, array->buffer, CL_TRUE, 0, array->size, array->bytes, 0, NULL, NULL), array->name);
    digest(array->bytes, array->size, first);
    if (array->element)
        printf("  %s: %llu elements, digest ", array->name, (unsigned long long)(array->size / array->element->bytes));
    else
        printf("  %s: %llu bytes, digest ", array->name, (unsigned long long)array->size);
    for (int i = 0; i < 8; i++)
        printf("%02x", first[i]);
    for (size_t i = 0; array->element && i < 8 && i < array->size / array->element->bytes; i++) {
        printf(i ? ", " : ": ");
        show(array->bytes + i * array->element->bytes, *array->element);
    }
    printf("%s\n", array->element && array->size / array->element->bytes > 8 ? ", …" : "");
}

#ifndef _WIN32
static void give_up(int signal)
{
    static const char text[] = "the kernel does not come to an end: given up (--timeout SECONDS)\n";
    (void)signal;
    if (write(2, text, sizeof text - 1) < 0)
        _exit(125);
    _exit(124);
}
#endif

#ifndef _WIN32
static void break_off(int signal)
{
    static const char text[] = "the device broke off: what the kernel does is undefined\n";
    (void)signal;
    if (write(2, text, sizeof text - 1) < 0)
        _exit(126);
    _exit(125);
}
#endif

int main(int count, char **words)
{
    unsigned seconds = 60;
    if (count == 3 && !strcmp(words[1], "--timeout"))
        seconds = (unsigned)strtoul(words[2], NULL, 10);
    else if (count != 1) {
        fprintf(stderr, "usage: %s [--timeout SECONDS]\n", words[0]);
        return 3;
    }
    /* No witness needs all of them. */
    (void)fill_bytes, (void)fill_same, (void)fill_count, (void)fill_random, (void)fill_among, (void)fill_sparse;
    (void)new_array, (void)give_array, (void)give_bytes, (void)give_local;
    setvbuf(stdout, NULL, _IONBF, 0);
#ifndef _WIN32
    signal(SIGALRM, give_up);
    signal(SIGABRT, break_off);
    signal(SIGSEGV, break_off);
    alarm(seconds);
#endif
    find_device();
    build();
    give_arguments();
    check(clEnqueueNDRangeKernel(queue, kernel, DIMENSIONS, global_offset, global_size, local_size, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue), "clFinish");
    printf("ran %s\n", KERNEL);
    for (int i = 0; i < number_of_arrays; i++)
        read_back(&arrays[i]);
    return 0;
}
