/**
 * Reference ids (contract/src/edge/reference.ts): a block page shows one. It is encrypted, and Explain needs no log row
 * for it.
 */

import { guardIds } from '@breakwater/contract/edge/guards.ts'
import type { referenceKeyContext, referenceVersion } from '@breakwater/contract/edge/reference.ts'
import { band, rshift } from 'bit'
import * as ffi from 'ffi'
import type { EdgeRequest, Verdict } from '../lib/guard.ts'
import { base64url, bytesOfHex } from '../nginx/crypto.ts'
import { node } from '../nginx/node.ts'
import { raise } from '../nginx/raise.ts'
import { derivedKey, keysOfGroup } from '../nginx/secrets.ts'

ffi.cdef(`
typedef struct evp_cipher_ctx_st bw_cipher_ctx;
bw_cipher_ctx *EVP_CIPHER_CTX_new(void);
const void *EVP_aes_256_gcm(void);
int EVP_CIPHER_CTX_ctrl(bw_cipher_ctx *ctx, int type, int arg, void *ptr);
int EVP_EncryptInit_ex(bw_cipher_ctx *ctx, const void *type, void *engine, const unsigned char *key, const unsigned char *iv);
int EVP_EncryptUpdate(bw_cipher_ctx *ctx, unsigned char *out, int *outl, const unsigned char *in, int inl);
int EVP_EncryptFinal_ex(bw_cipher_ctx *ctx, unsigned char *out, int *outl);
`)

const version: typeof referenceVersion = 2
const keyContext: typeof referenceKeyContext = 'breakwater reference'
const getTag = 16

/** The parts in order, in bytes: the authenticated head, the nonce, the ciphertext, the truncated tag. */
const [headBytes, nonceBytes, plainBytes, tagBytes] = [4, 8, 21, 8]
const bytes = ffi.new('unsigned char[41]')
const nonceAt = bytes + headBytes
const sealedAt = nonceAt + nonceBytes
const tagAt = sealedAt + plainBytes
const plain = ffi.new('unsigned char[21]')
/** The nonce followed by four zero bytes. */
const iv = ffi.new('unsigned char[12]')
const tag = ffi.new('unsigned char[16]')
const length = ffi.new('int[1]')

/**
 * Writes an integer as three big-endian bytes. Without loops and strings: during floods, each refusal needs a
 * reference.
 */
function put3(to: unknown, at: number, value: number): void {
  const target = to as Record<number, number>
  target[at] = band(rshift(value, 16), 255)
  target[at + 1] = band(rshift(value, 8), 255)
  target[at + 2] = band(value, 255)
}

function put4(to: unknown, at: number, value: number): void {
  ;(to as Record<number, number>)[at] = rshift(value, 24)
  put3(to, at + 1, value)
}

/** One per worker: once it has a key, starting again with another nonce is cheap. */
const context = ffi.C.EVP_CIPHER_CTX_new!()
let groupKey = ''

function useKey(key: string): void {
  if (key === groupKey) return
  ffi.C.EVP_EncryptInit_ex!(context, ffi.C.EVP_aes_256_gcm!(), undefined, derivedKey(key, keyContext), undefined)
  groupKey = key
}

/** AES-256-GCM over `bytes`: encrypts `plain` after the head and nonce, and appends the first bytes of the tag. */
function seal(): void {
  ffi.C.EVP_EncryptInit_ex!(context, undefined, undefined, undefined, iv)
  ffi.C.EVP_EncryptUpdate!(context, undefined, length, bytes, headBytes)
  ffi.C.EVP_EncryptUpdate!(context, sealedAt, length, plain, plainBytes)
  if (ffi.C.EVP_EncryptFinal_ex!(context, tag, length) !== 1) raise('a reference cannot be sealed')
  ffi.C.EVP_CIPHER_CTX_ctrl!(context, getTag, 16, tag)
  ffi.copy(tagAt, tag, tagBytes)
}

/** The reference of a verdict, 55 characters. */
export function referenceOf(request: Pick<EdgeRequest, 'site' | 'time'>, revision: number, verdict: Verdict): string {
  const facts = node()
  bytes[0] = version
  put3(bytes, 1, facts.group)
  bytesOfHex(ngx.var.bw_id as string, iv, nonceBytes)
  ffi.copy(nonceAt, iv, nonceBytes)
  put3(plain, 0, facts.node)
  put4(plain, 3, request.site)
  put3(plain, 7, revision)
  plain[10] = guardIds[verdict.guard]
  put4(plain, 11, verdict.rule)
  plain[15] = band(rshift(verdict.cause, 8), 255)
  plain[16] = band(verdict.cause, 255)
  put4(plain, 17, math.floor(request.time))
  useKey(keysOfGroup()[0]!)
  seal()
  return base64url(ffi.string(bytes, headBytes + nonceBytes + plainBytes + tagBytes))
}
