/** Hashes, HMAC and random bytes from the libcrypto that nginx has already loaded. */
import { band, rshift } from 'bit'
import * as ffi from 'ffi'
import { encode_base64url } from 'ngx.base64'
import { raise } from './raise.ts'

ffi.cdef(`
typedef struct hmac_ctx_st bw_hmac_ctx;
const void *EVP_MD_fetch(void *context, const char *algorithm, const char *properties);
int EVP_Digest(const void *data, size_t count, unsigned char *md, unsigned int *size, const void *type, void *engine);
bw_hmac_ctx *HMAC_CTX_new(void);
int HMAC_Init_ex(bw_hmac_ctx *ctx, const void *key, int len, const void *md, void *engine);
int HMAC_Update(bw_hmac_ctx *ctx, const unsigned char *data, size_t len);
int HMAC_Final(bw_hmac_ctx *ctx, unsigned char *md, unsigned int *len);
int RAND_bytes(unsigned char *buf, int num);
int CRYPTO_memcmp(const void *a, const void *b, size_t len);
`)

const out = ffi.new('unsigned char[32]')
const outLength = ffi.new('unsigned int[1]')

/** Looked up once: OpenSSL's one-shot functions look up their algorithm on each call, under locks. */
export const sha256Algorithm = ffi.C.EVP_MD_fetch!(undefined, 'SHA256', undefined)
const hmacContext = ffi.C.HMAC_CTX_new!()

/** HMAC-SHA256, 32 bytes. */
export function hmac(key: string, data: string): string {
  ffi.C.HMAC_Init_ex!(hmacContext, key, key.length, sha256Algorithm, undefined)
  ffi.C.HMAC_Update!(hmacContext, data, data.length)
  if (ffi.C.HMAC_Final!(hmacContext, out, outLength) !== 1) raise('no HMAC')
  return ffi.string(out, 32)
}

/** SHA-256, 32 bytes. */
export function sha256(data: string): string {
  if (ffi.C.EVP_Digest!(data, data.length, out, outLength, sha256Algorithm, undefined) !== 1) raise('no SHA-256')
  return ffi.string(out, 32)
}

const randomMax = 96
const random = ffi.new(`unsigned char[${randomMax}]`)

/** Writes random bytes to a C buffer. */
export function fillRandom(to: unknown, count: number): void {
  if (ffi.C.RAND_bytes!(to, count) !== 1) raise('no random bytes')
}

/** Random bytes, at most 96. */
export function randomBytes(count: number): string {
  if (count > randomMax) raise('too many random bytes')
  fillRandom(random, count)
  return ffi.string(random, count)
}

/** Compares in constant time. */
export function equalBytes(a: string, b: string): boolean {
  return a.length === b.length && ffi.C.CRYPTO_memcmp!(a, b, a.length) === 0
}

const hexText = ffi.new('unsigned char[64]')
const hexDigits = ffi.new('unsigned char[17]', '0123456789abcdef')

/** Lower-case hexadecimal of up to 32 bytes. */
export function hex(bytes: string): string {
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes.charCodeAt(i)
    hexText[i * 2] = hexDigits[rshift(byte, 4)]
    hexText[i * 2 + 1] = hexDigits[band(byte, 15)]
  }
  return ffi.string(hexText, bytes.length * 2)
}

const digitOf = (code: number): number => (code < 58 ? code - 48 : code - 87)

/** Decodes the first `count` bytes of lower-case hexadecimal into a C buffer. */
export function bytesOfHex(text: string, to: unknown, count: number): void {
  const target = to as Record<number, number>
  for (let i = 0; i < count; i++) target[i] = digitOf(text.charCodeAt(i * 2)) * 16 + digitOf(text.charCodeAt(i * 2 + 1))
}

/** Base64 for URLs, without padding. */
export const base64url = (bytes: string): string => encode_base64url(bytes)

/** Decodes such a text. Returns undefined if it is invalid. */
export function fromBase64url(text: string): string | undefined {
  const [plain] = string.gsub(text, '[-_]', { '-': '+', _: '/' } as never)
  return ngx.decode_base64(plain)
}
