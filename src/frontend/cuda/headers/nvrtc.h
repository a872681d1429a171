/* NVRTC's functions, declared only: what a program compiles while it runs is not seen. */
#ifndef LOCKSTEP_NVRTC
#define LOCKSTEP_NVRTC
#pragma clang system_header

typedef enum nvrtcResult {
    NVRTC_SUCCESS, NVRTC_ERROR_OUT_OF_MEMORY, NVRTC_ERROR_PROGRAM_CREATION_FAILURE, NVRTC_ERROR_INVALID_INPUT,
    NVRTC_ERROR_INVALID_PROGRAM, NVRTC_ERROR_INVALID_OPTION, NVRTC_ERROR_COMPILATION,
    NVRTC_ERROR_BUILTIN_OPERATION_FAILURE, NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION,
    NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION, NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID, NVRTC_ERROR_INTERNAL_ERROR
} nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

extern "C" const char *nvrtcGetErrorString(nvrtcResult result);
extern "C" nvrtcResult nvrtcVersion(int *major, int *minor),
    nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name, int count,
                       const char *const *headers, const char *const *names),
    nvrtcDestroyProgram(nvrtcProgram *program),
    nvrtcCompileProgram(nvrtcProgram program, int count, const char *const *options),
    nvrtcGetPTXSize(nvrtcProgram program, size_t *size), nvrtcGetPTX(nvrtcProgram program, char *text),
    nvrtcGetCUBINSize(nvrtcProgram program, size_t *size), nvrtcGetCUBIN(nvrtcProgram program, char *code),
    nvrtcGetProgramLogSize(nvrtcProgram program, size_t *size), nvrtcGetProgramLog(nvrtcProgram program, char *log),
    nvrtcAddNameExpression(nvrtcProgram program, const char *expression),
    nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name),
    nvrtcGetNumSupportedArchs(int *count), nvrtcGetSupportedArchs(int *architectures);

#endif
