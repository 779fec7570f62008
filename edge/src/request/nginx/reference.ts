/** Reference ids (contract/src/edge/reference.ts): what a refusal shows, sealed, so that Explain needs no log row. */

import { guardIds } from '@breakwater/contract/edge/guards.ts'
import type { referenceKeyContext, referenceVersion } from '@breakwater/contract/edge/reference.ts'
import * as ffi from 'ffi'
import type { EdgeRequest, Verdict } from '../guard.ts'
import { base64url, randomBytes } from './crypto.ts'
import { node } from './node.ts'
import { derivedKey, keysOfGroup } from './secrets.ts'

ffi.cdef(`
typedef struct evp_cipher_ctx_st bw_cipher_ctx;
bw_cipher_ctx *EVP_CIPHER_CTX_new(void);
void EVP_CIPHER_CTX_free(bw_cipher_ctx *ctx);
const void *EVP_aes_256_gcm(void);
int EVP_CIPHER_CTX_ctrl(bw_cipher_ctx *ctx, int type, int arg, void *ptr);
int EVP_EncryptInit_ex(bw_cipher_ctx *ctx, const void *type, void *engine, const unsigned char *key, const unsigned char *iv);
int EVP_EncryptUpdate(bw_cipher_ctx *ctx, unsigned char *out, int *outl, const unsigned char *in, int inl);
int EVP_EncryptFinal_ex(bw_cipher_ctx *ctx, unsigned char *out, int *outl);
`)

const version: typeof referenceVersion = 1
const keyContext: typeof referenceKeyContext = 'breakwater reference'
const tagBytes = 8
const getTag = 16

/** A whole number as big-endian bytes. */
function bytesOf(value: number, count: number): string {
  let out = ''
  let rest = value
  for (let i = 0; i < count; i++) {
    out = string.char(rest % 256) + out
    rest = math.floor(rest / 256)
  }
  return out
}

const buffer = ffi.new('unsigned char[64]')
const length = ffi.new('int[1]')

/** AES-256-GCM: the ciphertext and the first 8 bytes of its tag. */
function seal(key: string, iv: string, data: string, plain: string): string {
  const context = ffi.C.EVP_CIPHER_CTX_new!()
  ffi.C.EVP_EncryptInit_ex!(context, ffi.C.EVP_aes_256_gcm!(), undefined, key, iv)
  ffi.C.EVP_EncryptUpdate!(context, undefined, length, data, data.length)
  ffi.C.EVP_EncryptUpdate!(context, buffer, length, plain, plain.length)
  const sealed = ffi.string(buffer, plain.length)
  ffi.C.EVP_EncryptFinal_ex!(context, buffer, length)
  ffi.C.EVP_CIPHER_CTX_ctrl!(context, getTag, 16, buffer)
  ffi.C.EVP_CIPHER_CTX_free!(context)
  return sealed + ffi.string(buffer, tagBytes)
}

function placeOf(guard: Verdict['guard']): number {
  for (let i = 0; i < guardIds.length; i++) if (guardIds[i] === guard) return i
  return 0
}

/** The reference of a verdict: 55 characters. */
export function referenceOf(request: EdgeRequest, revision: number, verdict: Verdict): string {
  const facts = node()
  const plain =
    bytesOf(facts.node, 3) +
    bytesOf(request.site, 4) +
    bytesOf(revision, 3) +
    bytesOf(placeOf(verdict.guard), 1) +
    bytesOf(verdict.rule, 4) +
    bytesOf(verdict.cause, 2) +
    bytesOf(math.floor(request.time), 4)
  const head = string.char(version) + bytesOf(facts.group, 3)
  const nonce = randomBytes(8)
  const key = derivedKey(keysOfGroup()[0]!, keyContext)
  return base64url(head + nonce + seal(key, `${nonce}\0\0\0\0`, head, plain))
}
