#pragma once
#include <stddef.h>
#include <stdint.h>

/* libFuzzer's driver for programs with a main of their own; it ships no header. */
int LLVMFuzzerRunDriver(
    int *_Nonnull argc, char *_Nullable *_Nonnull *_Nonnull argv,
    int (*_Nonnull run)(const uint8_t *_Nullable data, size_t size));
