#pragma once
#include <curl/curl.h>

// Swift cannot call functions with variable arguments, as these two are: one face for each type.

typedef size_t (*ccurl_write)(char *_Nullable bytes, size_t size, size_t count,
                              void *_Nullable context);

static inline CURLcode ccurl_set_text(CURL *_Nonnull handle, CURLoption option,
                                      const char *_Nonnull value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_number(CURL *_Nonnull handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_pointer(CURL *_Nonnull handle, CURLoption option,
                                         const void *_Nullable value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_write(CURL *_Nonnull handle, ccurl_write _Nonnull value) {
  return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, value);
}

static inline CURLcode ccurl_get_number(CURL *_Nonnull handle, CURLINFO field,
                                        long *_Nonnull value) {
  return curl_easy_getinfo(handle, field, value);
}
