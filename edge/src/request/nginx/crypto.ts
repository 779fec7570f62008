/** Hashes, message authentication and random bytes from the libcrypto that nginx already holds. */
import { band, rshift } from 'bit'
import * as ffi from 'ffi'

ffi.cdef(`
const void *EVP_sha256(void);
unsigned char *HMAC(const void *md, const void *key, int key_len, const unsigned char *d, size_t n, unsigned char *out, unsigned int *len);
unsigned char *SHA256(const unsigned char *d, size_t n, unsigned char *out);
int RAND_bytes(unsigned char *buf, int num);
int CRYPTO_memcmp(const void *a, const void *b, size_t len);
`)

const out = ffi.new('unsigned char[32]')
const outLength = ffi.new('unsigned int[1]')

/** HMAC-SHA256, 32 bytes. */
export function hmac(key: string, data: string): string {
  ffi.C.HMAC!(ffi.C.EVP_sha256!(), key, key.length, data, data.length, out, outLength)
  return ffi.string(out, 32)
}

/** SHA-256, 32 bytes. */
export function sha256(data: string): string {
  ffi.C.SHA256!(data, data.length, out)
  return ffi.string(out, 32)
}

const random = ffi.new('unsigned char[64]')

/** Random bytes, at most 64. */
export function randomBytes(count: number): string {
  if (ffi.C.RAND_bytes!(random, count) !== 1) throw new Error('no random bytes')
  return ffi.string(random, count)
}

/** Compares in the same time whatever differs. */
export function equalBytes(a: string, b: string): boolean {
  return a.length === b.length && ffi.C.CRYPTO_memcmp!(a, b, a.length) === 0
}

const hexText = ffi.new('unsigned char[64]')
const hexDigits = ffi.new('unsigned char[17]', '0123456789abcdef')

/** Lower-case hexadecimal of at most 32 bytes. */
export function hex(bytes: string): string {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i)
    hexText[i * 2] = hexDigits[rshift(byte, 4)]
    hexText[i * 2 + 1] = hexDigits[band(byte, 15)]
  }
  return ffi.string(hexText, bytes.length * 2)
}

/** Base64 for URLs, without padding. */
export function base64url(bytes: string): string {
  const [dashed] = string.gsub(ngx.encode_base64(bytes, true), '[+/]', { '+': '-', '/': '_' } as never)
  return dashed
}

/** The bytes of such a text, or nothing. */
export function fromBase64url(text: string): string | undefined {
  const [plain] = string.gsub(text, '[-_]', { '-': '+', _: '/' } as never)
  return ngx.decode_base64(plain)
}
