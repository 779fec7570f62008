/**
 * Vectorscan (Hyperscan), which searches a text for many expressions at once and reports which of them may match.
 * Compiling takes seconds and is done in a separate process (`sites/build-prefilter.ts`). A worker loads the result
 * with the smaller library that only searches.
 */
import * as ffi from 'ffi'
import type { Database } from '../lib/waf-tools.ts'
import { readFile } from './files.ts'
import { raise } from './raise.ts'

ffi.cdef(`
typedef struct hs_database bw_hs_database;
typedef struct hs_scratch bw_hs_scratch;
typedef struct { char *message; int expression; } bw_hs_error;
typedef struct { unsigned int tune; unsigned long long cpu_features, reserved1, reserved2; } bw_hs_platform;
typedef int (*bw_hs_found)(unsigned int id, unsigned long long from, unsigned long long to, unsigned int flags, void *context);
const char *hs_version(void);
int hs_compile_multi(const char *const *expressions, const unsigned int *flags, const unsigned int *ids,
                     unsigned int elements, unsigned int mode, const bw_hs_platform *platform, bw_hs_database **db,
                     bw_hs_error **error);
int hs_free_compile_error(bw_hs_error *error);
int hs_free_database(bw_hs_database *db);
int hs_serialize_database(const bw_hs_database *db, char **bytes, size_t *length);
int hs_deserialize_database(const char *bytes, size_t length, bw_hs_database **db);
int hs_alloc_scratch(const bw_hs_database *db, bw_hs_scratch **scratch);
int hs_scan(const bw_hs_database *db, const char *data, unsigned int length, unsigned int flags,
            bw_hs_scratch *scratch, bw_hs_found found, void *context);
int core2_hs_scan(const bw_hs_database *db, const char *data, unsigned int length, unsigned int flags,
                  bw_hs_scratch *scratch, bw_hs_found found, void *context);
int corei7_hs_scan(const bw_hs_database *db, const char *data, unsigned int length, unsigned int flags,
                   bw_hs_scratch *scratch, bw_hs_found found, void *context);
int abs(int number);
void free(void *memory);
`)

const caseless = 1
/**
 * DOTALL and MULTILINE; one match per expression is enough; empty matches count; an expression that cannot be searched
 * exactly is searched by a wider one.
 */
const common = 2 + 4 + 8 + 16 + 128
const blockMode = 1
const terminated = -3

let runtime: typeof ffi.C | undefined
let isTried = false
type Scan = (this: void, ...given: unknown[]) => number
let scan: Scan | undefined
let naming: Scan | undefined

/** Whether the library is installed. */
export function hasHyperscan(): boolean {
  if (!isTried) {
    isTried = true
    const [isLoaded, found] = pcall(() => ffi.load('libhs_runtime.so.5'))
    if (isLoaded) {
      runtime = found as typeof ffi.C
      takeScans(runtime)
    }
  }
  return runtime !== undefined
}

/**
 * Debian's library contains a scanner per type of x86 processor and uses the newest that the processor supports. The
 * scanners for wide registers miss matches in 5.4.9: the AVX-512 one does not find `a.*b` with 64 or more bytes in
 * between (VectorCamp/vectorscan#378), the AVX2 one does not find `a.*b\s*c` (VectorCamp/vectorscan#382). Those for
 * narrow registers are as fast here, so they are used if there are several; `missedProbe` detects if they miss
 * something too.
 */
function takeScans(library: typeof ffi.C): void {
  const [isFat, narrow] = pcall(() => [library.core2_hs_scan, library.corei7_hs_scan])
  const [ofAll, ofMost] = isFat ? (narrow as unknown as Scan[]) : []
  scan = ofAll ?? (library.hs_scan as unknown as Scan)
  // LuaJIT no longer compiles calls of a C function that has called back into Lua, so another function reports the
  // matches.
  naming = ofMost !== undefined && hasSse42() ? ofMost : scan
}

const hasSse42 = (): boolean => (readFile('/proc/cpuinfo') ?? '').indexOf(' sse4_2') >= 0

/** For example `5.4.9`: a database works with one version only. */
export function hyperscanVersion(): string {
  if (!hasHyperscan()) return ''
  return ffi.string(runtime!.hs_version!()).split(' ')[0]!
}

/** Scratch space for searches, one per process; it grows with the databases that are loaded. */
const scratch = ffi.new('bw_hs_scratch *[1]')

/** Throws if the bytes are damaged or of another version. */
export function loadDatabase(bytes: string): Database {
  const made = ffi.new('bw_hs_database *[1]')
  const code = runtime!.hs_deserialize_database!(bytes, bytes.length, made) as number
  if (code !== 0) return raise(`a database of expressions cannot be loaded: ${code}`)
  const database = ffi.gc(made[0], runtime!.hs_free_database)
  if (runtime!.hs_alloc_scratch!(database, scratch) !== 0) return raise('no memory to search expressions')
  return database as Database
}

/** More ids than a rule set has rules. */
const foundMax = 4096
const found = ffi.new(`unsigned int[${foundMax}]`)
let foundCount = 0

/**
 * Ends the search at the first match, because `abs` of an id is not 0. It does not call back into Lua, so that searches
 * stay compiled.
 */
const anyMatch = ffi.cast('bw_hs_found', ffi.cast('void *', ffi.C.abs))

const eachMatch = ffi.cast('bw_hs_found', ((id: number) => {
  if (foundCount < foundMax) {
    found[foundCount] = id
    foundCount++
  }
  return 0
}) as (this: void, id: number) => number)

/** Calls back into Lua, which compiled code must not do. */
function searchAll(database: Database, text: string): number {
  foundCount = 0
  return naming!(database, text, text.length, 0, scratch[0], eachMatch, undefined)
}
jit.off(searchAll as never)

/** The number of gates that the text may open; −1 if it could not be searched. */
export function candidates(database: Database, text: string): number {
  const code = scan!(database, text, text.length, 0, scratch[0], anyMatch, undefined)
  if (code === 0) return 0
  if (code !== terminated || searchAll(database, text) !== 0 || foundCount >= foundMax) return -1
  return foundCount
}

export const candidate = (at: number): number => found[at] as number

export type Expression = { id: number; expression: string; ignoresCase: boolean }

/**
 * Compiles a database to bytes, and lists the expressions that could not be included. Takes seconds; the result works
 * on any processor of this architecture.
 */
export function compileDatabase(given: readonly Expression[]): { bytes: string; refused: number[] } {
  const compiler = ffi.load('libhs.so.5')
  const refused: number[] = []
  let left = [...given]
  for (;;) {
    const expressions = ffi.new('const char *[?]', left.length)
    const flags = ffi.new('unsigned int[?]', left.length)
    const ids = ffi.new('unsigned int[?]', left.length)
    for (let at = 0; at < left.length; at++) {
      const { id, expression, ignoresCase } = left[at]!
      expressions[at] = expression
      flags[at] = ignoresCase ? common + caseless : common
      ids[at] = id
    }
    const platform = ffi.new('bw_hs_platform')
    const made = ffi.new('bw_hs_database *[1]')
    const problem = ffi.new('bw_hs_error *[1]')
    if (compiler.hs_compile_multi!(expressions, flags, ids, left.length, blockMode, platform, made, problem) === 0)
      return { bytes: bytesOf(compiler, made[0]), refused }
    const at = tonumber(problem[0].expression)!
    const message = ffi.string(problem[0].message)
    compiler.hs_free_compile_error!(problem[0])
    if (at < 0) return raise(`expressions do not compile: ${message}`)
    const id = left[at]!.id
    refused.push(id)
    left = left.filter((one) => one.id !== id)
    if (left.length === 0) return { bytes: '', refused }
  }
}

function bytesOf(compiler: typeof ffi.C, database: unknown): string {
  const bytes = ffi.new('char *[1]')
  const length = ffi.new('size_t[1]')
  if (compiler.hs_serialize_database!(database, bytes, length) !== 0) return raise('a database has no bytes')
  const text = ffi.string(bytes[0], tonumber(length[0]))
  ffi.C.free!(bytes[0])
  compiler.hs_free_database!(database)
  return text
}
