/**
 * What runs in a thread beside the worker, in a Lua of its own: it knows no request and nothing of nginx. Its memory is
 * kept from one call to the next.
 */
import * as ffi from 'ffi'

ffi.cdef(`
int EVP_PBE_scrypt(const char *pass, size_t passlen, const unsigned char *salt, size_t saltlen, uint64_t N, uint64_t r,
                   uint64_t p, uint64_t maxmem, unsigned char *key, size_t keylen);
`)

/** scrypt itself refuses to take more. */
const memoryMax = 64 * 1024 * 1024
const derivedMax = 64
const out = ffi.new(`unsigned char[${derivedMax}]`)

/** scrypt (RFC 7914) of a password; '' where it cannot be made. `bytes` is at most 64. */
export function derive(password: string, salt: string, n: number, r: number, p: number, bytes: number): string {
  const isMade = ffi.C.EVP_PBE_scrypt!(password, password.length, salt, salt.length, n, r, p, memoryMax, out, bytes)
  return isMade === 1 ? ffi.string(out, bytes) : ''
}
