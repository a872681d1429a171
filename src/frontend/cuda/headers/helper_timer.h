/* The timers of NVIDIA's samples: declared only. */
#ifndef LOCKSTEP_HELPER_TIMER
#define LOCKSTEP_HELPER_TIMER
#pragma clang system_header

class StopWatchInterface {
public:
    StopWatchInterface() {}
    virtual ~StopWatchInterface() {}
    virtual void start() = 0;
    virtual void stop() = 0;
    virtual void reset() = 0;
    virtual float getTime() = 0;
    virtual float getAverageTime() = 0;
};
bool sdkCreateTimer(StopWatchInterface **timer);
bool sdkDeleteTimer(StopWatchInterface **timer);
bool sdkStartTimer(StopWatchInterface **timer);
bool sdkStopTimer(StopWatchInterface **timer);
bool sdkResetTimer(StopWatchInterface **timer);
float sdkGetTimerValue(StopWatchInterface **timer);
float sdkGetAverageTimerValue(StopWatchInterface **timer);

#endif
