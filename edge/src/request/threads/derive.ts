/**
 * Runs in a thread beside the worker, in a Lua state of its own: it knows no request and has none of nginx's API. Its
 * memory persists between calls.
 */
import * as ffi from 'ffi'
import { goBehindWorkers } from './go-behind-workers.ts'

ffi.cdef(`
int EVP_PBE_scrypt(const char *pass, size_t passlen, const unsigned char *salt, size_t saltlen, uint64_t N, uint64_t r,
                   uint64_t p, uint64_t maxmem, unsigned char *key, size_t keylen);
char *crypt_r(const char *phrase, const char *setting, void *data);
`)

/**
 * A twenty-eighth of a worker's weight: beside one that is never idle a password is still checked within two seconds.
 */
const niceness = 15

/** Beyond this, scrypt itself refuses. */
const memoryMax = 64 * 1024 * 1024
const derivedMax = 64
const out = ffi.new(`unsigned char[${derivedMax}]`)

/** scrypt (RFC 7914) of a password; '' if that fails. `bytes` is at most 64. */
export function derive(password: string, salt: string, n: number, r: number, p: number, bytes: number): string {
  goBehindWorkers(niceness)
  const isMade = ffi.C.EVP_PBE_scrypt!(password, password.length, salt, salt.length, n, r, p, memoryMax, out, bytes)
  return isMade === 1 ? ffi.string(out, bytes) : ''
}

/** The size of crypt_r's buffer (struct crypt_data), and its library, which every Debian has. */
const cryptBytes = 32_768
let library: typeof ffi.C | undefined
const cryptData = ffi.new(`unsigned char[${cryptBytes}]`)

/** crypt(3) of a password with the settings at the start of a hash. Returns the hash itself if they match. */
export function crypt(password: string, setting: string): string {
  // C strings end at the first NUL: a password that contains one would be taken for another.
  if (string.find(password, '\0', 1, true)[0] !== undefined) return '*'
  goBehindWorkers(niceness)
  library ??= ffi.load('libcrypt.so.1')
  const made = library.crypt_r!(password, setting, cryptData)
  return ffi.cast('intptr_t', made) === ffi.cast('intptr_t', 0) ? '*' : ffi.string(made)
}
