#define SIMDJSON_EXCEPTIONS 0
#include "csimdjson.h"

#include <simdjson.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>

// The copy of the input is laid out as
//
//     [ input ] padding
//
// with brackets of our own. So every document is the first element of an array, a lone number
// like any other value, and whatever is wrong is found at its own place: simdjson looks at the
// last bracket of a document first, and would otherwise tell of an unclosed array where something
// follows it.

using namespace simdjson;

namespace {

// simdjson counts in 32 bits and wants room for a third more of unescaped text.
constexpr size_t max_input = 0xE0000000;
// Objects with more members than this are searched for duplicate names by sorting.
constexpr uint32_t few_members = 32;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

// Grows a malloc'ed array to hold `needed` items; false where there is no memory.
template <typename T>
bool reserve(T *&items, size_t &capacity, size_t needed) {
  if (needed <= capacity) return true;
  size_t grown = std::max(needed, capacity + capacity / 2 + 64);
  T *moved = static_cast<T *>(std::realloc(items, grown * sizeof(T)));
  if (moved == nullptr) return false;
  items = moved;
  capacity = grown;
  return true;
}

}  // namespace

struct csimdjson_parser {
  ondemand::parser parser;
  char *buffer = nullptr;
  size_t buffer_capacity = 0;
  csimdjson_node *nodes = nullptr;
  size_t node_capacity = 0;
  size_t node_count = 0;
  uint32_t *order = nullptr;
  size_t order_capacity = 0;

  const char *input = nullptr;
  size_t input_count = 0;
  const char *text = nullptr;
  ondemand::document document;
  uint32_t status = CSIMDJSON_OK;
  uint32_t error_offset = 0;
  csimdjson_result result = {};

  ~csimdjson_parser() {
    std::free(buffer);
    std::free(nodes);
    std::free(order);
  }

  bool fail(uint32_t reason, const char *at) {
    status = reason;
    error_offset = at < input ? 0 : uint32_t(std::min(size_t(at - input), input_count));
    return false;
  }

  // Tells of the token at which simdjson gave up.
  bool fail_here() {
    const char *at;
    if (document.current_location().get(at) || at >= input + input_count) {
      return fail(CSIMDJSON_UNCLOSED, input + input_count);
    }
    return fail(CSIMDJSON_UNEXPECTED, at);
  }

  csimdjson_node *add(uint32_t kind, const char *at) {
    if (!reserve(nodes, node_capacity, node_count + 1)) {
      fail(CSIMDJSON_OUT_OF_MEMORY, at);
      return nullptr;
    }
    csimdjson_node *node = &nodes[node_count++];
    node->offset = uint32_t(at - input);
    node->kind = kind;
    node->end = 0;
    return node;
  }

  bool add_string(simdjson_result<std::string_view> result, const char *at) {
    std::string_view string;
    if (std::move(result).get(string)) return fail(CSIMDJSON_INVALID_ESCAPE, at);
    if (text == nullptr) text = string.data();
    csimdjson_node *node = add(CSIMDJSON_STRING, at);
    if (node == nullptr) return false;
    node->range = {uint32_t(string.data() - text), uint32_t(string.size())};
    return true;
  }

  bool add_invalid(std::string_view token) {
    csimdjson_node *node = add(CSIMDJSON_INVALID, token.data());
    if (node == nullptr) return false;
    node->range = {node->offset, uint32_t(token.size())};
    return true;
  }

  // `ondemand::number` is not used: in 3.0.1 it loses numbers of more than 19 digits.
  bool add_number(ondemand::value &value, std::string_view token) {
    bool negative = token[0] == '-';
    size_t digits = negative;
    while (digits < token.size() && token[digits] >= '0' && token[digits] <= '9') digits++;
    int64_t integer;
    if (digits == token.size() && !value.get_int64().get(integer) && !(negative && integer == 0)) {
      csimdjson_node *node = add(CSIMDJSON_INTEGER, token.data());
      if (node == nullptr) return false;
      node->integer = integer;
      return true;
    }
    double number;
    if (value.get_double().get(number)) return add_invalid(token);
    csimdjson_node *node = add(CSIMDJSON_DOUBLE, token.data());
    if (node == nullptr) return false;
    node->number = number;
    return true;
  }

  bool walk(ondemand::value value, unsigned depth) {
    std::string_view token = value.raw_json_token();
    while (token.size() > 1 && is_space(token.back())) token.remove_suffix(1);
    if (token.data() >= input + input_count) {
      return fail(CSIMDJSON_UNCLOSED, input + input_count);
    }
    switch (token[0]) {
      case '{':
        return walk_object(value, token.data(), depth + 1);
      case '[':
        return walk_array(value, token.data(), depth + 1);
      case '"':
        return add_string(value.get_string(), token.data());
      case '-': case '0': case '1': case '2': case '3': case '4':
      case '5': case '6': case '7': case '8': case '9':
        return add_number(value, token);
      case ',': case ':': case ']': case '}':
        return fail(CSIMDJSON_UNEXPECTED, token.data());
      default:
        if (token == "true") return add(CSIMDJSON_TRUE, token.data()) != nullptr;
        if (token == "false") return add(CSIMDJSON_FALSE, token.data()) != nullptr;
        if (token == "null") return add(CSIMDJSON_NULL, token.data()) != nullptr;
        return add_invalid(token);
    }
  }

  bool walk_array(ondemand::value &value, const char *at, unsigned depth) {
    if (depth > CSIMDJSON_MAX_DEPTH) return fail(CSIMDJSON_TOO_DEEP, at);
    size_t index = node_count;
    if (add(CSIMDJSON_ARRAY, at) == nullptr) return false;
    ondemand::array array;
    if (value.get_array().get(array)) return fail_here();
    for (auto element : array) {
      ondemand::value child;
      if (std::move(element).get(child)) return fail_here();
      if (!walk(child, depth)) return false;
    }
    nodes[index].end = node_count;
    return true;
  }

  bool walk_object(ondemand::value &value, const char *at, unsigned depth) {
    if (depth > CSIMDJSON_MAX_DEPTH) return fail(CSIMDJSON_TOO_DEEP, at);
    size_t index = node_count;
    if (add(CSIMDJSON_OBJECT, at) == nullptr) return false;
    ondemand::object object;
    if (value.get_object().get(object)) return fail_here();
    uint32_t members = 0;
    // A set of hashes of the names so far, so that names are compared only where two of them agree.
    uint64_t seen = 0;
    for (auto member : object) {
      ondemand::field field;
      if (std::move(member).get(field)) return fail_here();
      size_t name = node_count;
      // Unescaping takes the key away.
      const char *quote = field.key().raw() - 1;
      if (!add_string(field.unescaped_key(), quote)) return false;
      if (members++ < few_members && !is_new(name, index, seen)) return false;
      if (!walk(field.value(), depth)) return false;
    }
    nodes[index].end = node_count;
    return members <= few_members || names_differ(index, members);
  }

  std::string_view string(const csimdjson_node &node) const {
    return {text + node.range.start, node.range.count};
  }

  size_t after(size_t index) const {
    const csimdjson_node &node = nodes[index];
    bool holds = node.kind == CSIMDJSON_ARRAY || node.kind == CSIMDJSON_OBJECT;
    return holds ? size_t(node.end) : index + 1;
  }

  bool is_new(size_t name, size_t object, uint64_t &seen) {
    std::string_view wanted = string(nodes[name]);
    size_t hash = wanted.size();
    if (!wanted.empty()) {
      hash += 5 * size_t(wanted.front()) + 11 * size_t(wanted.back())
          + 23 * size_t(wanted[wanted.size() / 2]);
    }
    uint64_t bit = uint64_t(1) << (hash % 64);
    if (seen & bit) {
      for (size_t other = object + 1; other < name; other = after(other + 1)) {
        if (string(nodes[other]) == wanted) {
          return fail(CSIMDJSON_DUPLICATE_NAME, input + nodes[name].offset);
        }
      }
    }
    seen |= bit;
    return true;
  }

  bool names_differ(size_t object, uint32_t members) {
    if (!reserve(order, order_capacity, members)) {
      return fail(CSIMDJSON_OUT_OF_MEMORY, input + nodes[object].offset);
    }
    uint32_t *end = order;
    for (size_t name = object + 1; name < nodes[object].end; name = after(name + 1)) {
      *end++ = uint32_t(name);
    }
    std::sort(order, end, [this](uint32_t a, uint32_t b) noexcept {
      int compared = string(nodes[a]).compare(string(nodes[b]));
      return compared != 0 ? compared < 0 : a < b;
    });
    uint32_t *same = std::adjacent_find(order, end, [this](uint32_t a, uint32_t b) noexcept {
      return string(nodes[a]) == string(nodes[b]);
    });
    if (same == end) return true;
    return fail(CSIMDJSON_DUPLICATE_NAME, input + nodes[same[1]].offset);
  }

  bool parse(const char *bytes, size_t count) {
    node_count = 0;
    text = nullptr;
    status = CSIMDJSON_OK;
    error_offset = 0;
    input = bytes;
    input_count = 0;
    if (count > max_input) return fail(CSIMDJSON_TOO_LARGE, input);
    if (!reserve(buffer, buffer_capacity, count + 2 + SIMDJSON_PADDING)) {
      return fail(CSIMDJSON_OUT_OF_MEMORY, input);
    }
    input = buffer + 1;
    input_count = count;
    if (count > 0) std::memcpy(buffer + 1, bytes, count);
    buffer[1 + count] = ']';
    std::memset(buffer + 2 + count, 0, SIMDJSON_PADDING);
    char *start = buffer;
    if (count >= 3 && std::memcmp(buffer + 1, "\xEF\xBB\xBF", 3) == 0) start += 3;
    *start = '[';

    size_t wrapped = size_t(buffer + 2 + count - start);
    if (parser.capacity() < wrapped) {
      if (parser.allocate(std::max(wrapped + wrapped / 2, size_t(512)))) {
        return fail(CSIMDJSON_OUT_OF_MEMORY, input);
      }
    }
    error_code error = parser.iterate(start, wrapped, wrapped + SIMDJSON_PADDING).get(document);
    switch (error) {
      case SUCCESS: break;
      case UTF8_ERROR: return fail(CSIMDJSON_INVALID_UTF8, input);
      case UNESCAPED_CHARS: case UNCLOSED_STRING: return fail(CSIMDJSON_INVALID_STRING, input);
      case MEMALLOC: return fail(CSIMDJSON_OUT_OF_MEMORY, input);
      default: return fail(CSIMDJSON_UNEXPECTED, input);
    }
    ondemand::array ours;
    if (document.get_array().get(ours)) return fail_here();
    for (auto element : ours) {
      ondemand::value root;
      if (std::move(element).get(root)) return fail_here();
      std::string_view token = root.raw_json_token();
      const char *next = token.data() + token.size();
      if (!walk(root, 0)) return false;
      uint32_t kind = nodes[0].kind;
      if (kind == CSIMDJSON_ARRAY || kind == CSIMDJSON_OBJECT) {
        if (document.current_location().get(next)) {
          return fail(CSIMDJSON_UNCLOSED, input + input_count);
        }
      }
      return next == input + input_count || fail(CSIMDJSON_TRAILING, next);
    }
    // Our array ended with nothing in it: by our own bracket, or by one of the input's.
    const char *first = std::find_if_not(start + 1, buffer + 1 + count, is_space);
    return fail(first == input + count ? CSIMDJSON_EMPTY : CSIMDJSON_UNEXPECTED, first);
  }
};

csimdjson_parser *csimdjson_create(void) { return new (std::nothrow) csimdjson_parser; }

void csimdjson_destroy(csimdjson_parser *parser) { delete parser; }

void csimdjson_parse(csimdjson_parser *parser, const void *bytes, size_t count) {
  parser->parse(static_cast<const char *>(bytes), count);
  csimdjson_result &result = parser->result;
  result.status = parser->status;
  result.error_offset = parser->error_offset;
  result.nodes = parser->nodes;
  result.node_count = parser->status == CSIMDJSON_OK ? parser->node_count : 0;
  result.text = reinterpret_cast<const uint8_t *>(parser->text);
  result.input = reinterpret_cast<const uint8_t *>(parser->input);
  result.input_count = parser->input_count;
}

const csimdjson_result *csimdjson_last_result(const csimdjson_parser *parser) {
  return &parser->result;
}
