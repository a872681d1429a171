/* NVTX: marks in a profiler's timeline, which change nothing. */
#ifndef LOCKSTEP_NVTX
#define LOCKSTEP_NVTX
#pragma clang system_header
#include <stdint.h>

#define NVTX_VERSION 3
typedef enum nvtxColorType_t { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII, NVTX_MESSAGE_TYPE_UNICODE, NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN, NVTX_PAYLOAD_TYPE_UNSIGNED_INT64, NVTX_PAYLOAD_TYPE_INT64, NVTX_PAYLOAD_TYPE_DOUBLE,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT32, NVTX_PAYLOAD_TYPE_INT32, NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;
typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
        uint32_t uiValue;
        int32_t iValue;
        float fValue;
    } payload;
    int32_t messageType;
    union {
        const char *ascii;
        const wchar_t *unicode;
        nvtxStringHandle_t registered;
    } message;
} nvtxEventAttributes_t;
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

extern "C" int nvtxRangePushA(const char *message), nvtxRangePushW(const wchar_t *message),
    nvtxRangePushEx(const nvtxEventAttributes_t *attributes), nvtxRangePop(void),
    nvtxDomainRangePushEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes),
    nvtxDomainRangePop(nvtxDomainHandle_t domain);
extern "C" nvtxRangeId_t nvtxRangeStartA(const char *message), nvtxRangeStartW(const wchar_t *message),
    nvtxRangeStartEx(const nvtxEventAttributes_t *attributes),
    nvtxDomainRangeStartEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes);
extern "C" void nvtxRangeEnd(nvtxRangeId_t range),
    nvtxDomainRangeEnd(nvtxDomainHandle_t domain, nvtxRangeId_t range), nvtxMarkA(const char *message),
    nvtxMarkW(const wchar_t *message), nvtxMarkEx(const nvtxEventAttributes_t *attributes),
    nvtxDomainMarkEx(nvtxDomainHandle_t domain, const nvtxEventAttributes_t *attributes),
    nvtxNameCategoryA(uint32_t category, const char *name), nvtxNameOsThreadA(uint32_t thread, const char *name),
    nvtxDomainNameCategoryA(nvtxDomainHandle_t domain, uint32_t category, const char *name),
    nvtxNameCudaDeviceA(int device, const char *name), nvtxNameCudaStreamA(cudaStream_t stream, const char *name),
    nvtxNameCudaEventA(cudaEvent_t event, const char *name), nvtxDomainDestroy(nvtxDomainHandle_t domain),
    nvtxInitialize(const void *reserved);
extern "C" nvtxDomainHandle_t nvtxDomainCreateA(const char *name);
extern "C" nvtxStringHandle_t nvtxDomainRegisterStringA(nvtxDomainHandle_t domain, const char *string);
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxMark nvtxMarkA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif
