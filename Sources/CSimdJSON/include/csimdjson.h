#pragma once

// A C face for simdjson's On-Demand parser: one call walks a whole document in order and leaves it
// as a flat array of nodes. No exception and no C++ type crosses this face.
//
// A container's node is followed by those of its contents; an object's are a string, the name, and
// a value for each member. Nothing in a result outlives the next call with the same parser.

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  CSIMDJSON_NULL,
  CSIMDJSON_FALSE,
  CSIMDJSON_TRUE,
  CSIMDJSON_DOUBLE,
  CSIMDJSON_INTEGER,
  CSIMDJSON_STRING,
  CSIMDJSON_ARRAY,
  CSIMDJSON_OBJECT,
  // Stands where a value belongs and is none, as NaN, 01 or 1e999; the structure around it is whole.
  CSIMDJSON_INVALID,
};

enum {
  CSIMDJSON_OK,
  CSIMDJSON_EMPTY,
  CSIMDJSON_INVALID_UTF8,
  // A control character, or a string that does not end.
  CSIMDJSON_INVALID_STRING,
  CSIMDJSON_INVALID_ESCAPE,
  CSIMDJSON_UNEXPECTED,
  CSIMDJSON_UNCLOSED,
  CSIMDJSON_TRAILING,
  CSIMDJSON_TOO_DEEP,
  CSIMDJSON_DUPLICATE_NAME,
  CSIMDJSON_TOO_LARGE,
  CSIMDJSON_OUT_OF_MEMORY,
};

// More containers within each other than this are refused.
enum { CSIMDJSON_MAX_DEPTH = 64 };

typedef struct {
  uint32_t start;
  uint32_t count;
} csimdjson_range;

typedef struct {
  // Of the value's first byte in the input; for a string, of its quotation mark.
  uint32_t offset;
  uint32_t kind;
  union {
    double number;
    int64_t integer;
    // For a string, in the result's text; for an invalid value, in the input.
    csimdjson_range range;
    // For a container: the index of the first node that is not within it.
    uint64_t end;
  };
} csimdjson_node;

typedef struct {
  uint32_t status;
  // Where an error was found, if simdjson tells; for a duplicate name, that of the later one.
  uint32_t error_offset;
  const csimdjson_node *nodes;
  size_t node_count;
  // All strings, unescaped, one after the other.
  const uint8_t *text;
  // A copy of the parsed bytes.
  const uint8_t *input;
  size_t input_count;
} csimdjson_result;

typedef struct csimdjson_parser csimdjson_parser;

// NULL where there is no memory.
csimdjson_parser *csimdjson_create(void);
void csimdjson_destroy(csimdjson_parser *parser);

// Parses one document. Buffers grow to the size of the largest document so far and are kept.
void csimdjson_parse(csimdjson_parser *parser, const void *bytes, size_t count);

// What the last call found; the address is the same for the parser's life.
const csimdjson_result *csimdjson_last_result(const csimdjson_parser *parser);

#ifdef __cplusplus
}
#endif
