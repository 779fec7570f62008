/**
 * What runs in a thread beside the worker, in a Lua of its own: it knows no request and nothing of nginx. Its memory is
 * kept from one call to the next.
 */
import * as ffi from 'ffi'

ffi.cdef(`
int EVP_PBE_scrypt(const char *pass, size_t passlen, const unsigned char *salt, size_t saltlen, uint64_t N, uint64_t r,
                   uint64_t p, uint64_t maxmem, unsigned char *key, size_t keylen);
char *crypt_r(const char *phrase, const char *setting, void *data);
typedef struct {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
} bw_scheduling;
long syscall(long number, int thread, bw_scheduling *scheduling, unsigned int flags);
`)

/** sched_setattr(2), which libc has no function for. */
const setScheduling = (jit.arch as string) === 'arm64' ? 274 : 314
const ownThread = 0
/**
 * A twenty-eighth of a worker's weight: a worker goes first whenever it has something to do, and a password is still tried
 * within two seconds beside one that is never idle.
 */
const niceness = 15
/**
 * The longest slice that Linux gives, in ns. From 6.6 on a thread keeps its processor to the end of a slice, and since 6.12
 * only one of a shorter slice, as a worker's is, may have it at once. Before, this says nothing.
 */
const slice = 100_000_000
const scheduling = ffi.new('bw_scheduling', { size: 48, nice: niceness, runtime: slice })

/** Any thread of the pool may be the one that runs, so each call says it. */
function goBehindWorkers(): void {
  ffi.C.syscall!(setScheduling, ownThread, scheduling, 0)
}

/** scrypt itself refuses to take more. */
const memoryMax = 64 * 1024 * 1024
const derivedMax = 64
const out = ffi.new(`unsigned char[${derivedMax}]`)

/** scrypt (RFC 7914) of a password; '' where it cannot be made. `bytes` is at most 64. */
export function derive(password: string, salt: string, n: number, r: number, p: number, bytes: number): string {
  goBehindWorkers()
  const isMade = ffi.C.EVP_PBE_scrypt!(password, password.length, salt, salt.length, n, r, p, memoryMax, out, bytes)
  return isMade === 1 ? ffi.string(out, bytes) : ''
}

/** Room for what crypt_r needs (struct crypt_data), and its library, which every Debian has. */
const cryptBytes = 32_768
let library: typeof ffi.C | undefined
const cryptData = ffi.new(`unsigned char[${cryptBytes}]`)

/** What crypt(3) makes of a password with the settings that a hash begins with: that hash, where it is of the password. */
export function crypt(password: string, setting: string): string {
  // C ends a text at the first NUL: a password with one would be another.
  if (string.find(password, '\0', 1, true)[0] !== undefined) return '*'
  goBehindWorkers()
  library ??= ffi.load('libcrypt.so.1')
  const made = library.crypt_r!(password, setting, cryptData)
  return ffi.cast('intptr_t', made) === ffi.cast('intptr_t', 0) ? '*' : ffi.string(made)
}
