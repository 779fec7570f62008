/**
 * Expressions of the WAF in a thread: with the PCRE2 that nginx itself is linked with, and its JIT. A thread cannot use
 * a worker's: the PCRE of Debian 12's Lua module compiles with memory of the worker's request.
 */
import { regexMatchLimit } from '@breakwater/contract/edge/regex-match-limit.ts'
import * as ffi from 'ffi'
import { ofThisThread } from '../nginx/clock.ts'
import { patternsOf } from '../nginx/pattern-search.ts'

ffi.cdef(`
typedef struct pcre2_real_code_8 bw_pcre2_code;
typedef struct pcre2_real_match_data_8 bw_pcre2_match_data;
typedef struct pcre2_real_match_context_8 bw_pcre2_match_context;
bw_pcre2_code *pcre2_compile_8(const char *pattern, size_t length, uint32_t options, int *code, size_t *offset,
                               void *context);
int pcre2_jit_compile_8(bw_pcre2_code *code, uint32_t options);
void pcre2_code_free_8(bw_pcre2_code *code);
bw_pcre2_match_context *pcre2_match_context_create_8(void *context);
int pcre2_set_match_limit_8(bw_pcre2_match_context *context, uint32_t limit);
bw_pcre2_match_data *pcre2_match_data_create_from_pattern_8(const bw_pcre2_code *code, void *context);
void pcre2_match_data_free_8(bw_pcre2_match_data *data);
int pcre2_match_8(const bw_pcre2_code *code, const char *subject, size_t length, size_t start, uint32_t options,
                  bw_pcre2_match_data *data, bw_pcre2_match_context *context);
size_t *pcre2_get_ovector_pointer_8(bw_pcre2_match_data *data);
int pcre2_get_error_message_8(int code, char *buffer, size_t length);
`)

/** PCRE2_CASELESS, PCRE2_DOTALL and PCRE2_MULTILINE; PCRE2_JIT_COMPLETE. */
const [caseless, dotAll, multiLine, jitComplete] = [0x8, 0x20, 0x400, 1]
/** A larger position is PCRE2_UNSET. */
const positionMax = 2 ** 53

type Compiled = { code: unknown; data: unknown }

const context = ffi.C.pcre2_match_context_create_8!(undefined)
ffi.C.pcre2_set_match_limit_8!(context, regexMatchLimit)

function codeOf(source: string, ignoresCase: boolean): unknown {
  const options = dotAll + multiLine + (ignoresCase ? caseless : 0)
  const [problem, offset] = [ffi.new('int[1]'), ffi.new('size_t[1]')]
  const code = ffi.C.pcre2_compile_8!(source, source.length, options, problem, offset, undefined)
  if (code === ffi.cast('bw_pcre2_code *', 0)) throw new Error(`regular expression: ${textOf(problem[0])}`)
  return ffi.gc(code, ffi.C.pcre2_code_free_8)
}

function textOf(problem: number): string {
  const text = ffi.new('char[128]')
  ffi.C.pcre2_get_error_message_8!(problem, text, 128)
  return ffi.string(text)
}

export const { patternCompiler, search, groups } = patternsOf<Compiled>({
  check: (source, ignoresCase) => {
    codeOf(source, ignoresCase)
  },
  compile(source, ignoresCase) {
    const code = codeOf(source, ignoresCase)
    // Without its JIT, PCRE2 interprets the expression.
    ffi.C.pcre2_jit_compile_8!(code, jitComplete)
    const data = ffi.C.pcre2_match_data_create_from_pattern_8!(code, undefined)
    return { code, data: ffi.gc(data, ffi.C.pcre2_match_data_free_8) }
  },
  execOn: ({ code, data }, bytes, length) => ffi.C.pcre2_match_8!(code, bytes, length, 0, 0, data, context) as number,
  placeOf({ data }, at) {
    const place = tonumber(ffi.C.pcre2_get_ovector_pointer_8!(data)[at])!
    return place < positionMax ? place : -1
  },
  timedBy: ofThisThread,
})
