/** Verifies token signatures (RFC 7518) with the libcrypto that nginx has already loaded. */
import type { TokenKey } from '@breakwater/contract/edge/auth-rules.ts'
import * as ffi from 'ffi'
import { equalBytes, hmac, sha256Algorithm } from './crypto.ts'
import { raise } from './raise.ts'

ffi.cdef(`
typedef struct evp_pkey_st bw_evp_pkey;
typedef struct evp_md_ctx_st bw_evp_md_ctx;
bw_evp_pkey *d2i_PUBKEY(bw_evp_pkey **a, const unsigned char **pp, long length);
void EVP_PKEY_free(bw_evp_pkey *key);
bw_evp_md_ctx *EVP_MD_CTX_new(void);
int EVP_MD_CTX_reset(bw_evp_md_ctx *ctx);
int EVP_DigestVerifyInit(bw_evp_md_ctx *ctx, void **pctx, const void *type, void *engine, bw_evp_pkey *pkey);
int EVP_DigestVerify(bw_evp_md_ctx *ctx, const unsigned char *sig, size_t siglen, const unsigned char *data, size_t datalen);
int EVP_PKEY_CTX_set_rsa_padding(void *ctx, int pad);
int EVP_PKEY_CTX_set_rsa_pss_saltlen(void *ctx, int len);
void ERR_clear_error(void);
`)

const context = ffi.C.EVP_MD_CTX_new!()
const keyContext = ffi.new('void *[1]')

/** The digest of each algorithm; EdDSA does its own hashing. */
const digests: Record<TokenKey['algorithm'], unknown> = {
  HS256: sha256Algorithm,
  RS256: sha256Algorithm,
  RS384: digest('SHA384'),
  RS512: digest('SHA512'),
  PS256: sha256Algorithm,
  ES256: sha256Algorithm,
  EdDSA: undefined,
}

function digest(name: string): unknown {
  return ffi.C.EVP_MD_fetch!(undefined, name, undefined) ?? raise(`no ${name}`)
}

/** RFC 7518, 3.5: the salt is as long as the hash. */
const [pssPadding, saltAsDigest] = [6, -1]

export type VerifyingKey = Omit<TokenKey, 'key'> & {
  isSigned(this: void, text: string, signature: string): boolean
}

/** A key that is ready to verify. Returns undefined if it cannot be parsed. */
export function verifyingKey({ algorithm, kid, issuer, audience, claims, key }: TokenKey): VerifyingKey | undefined {
  const bytes = ngx.decode_base64(key)
  if (bytes === undefined) return undefined
  const said = { algorithm, kid, issuer, audience, claims }
  if (algorithm === 'HS256') return { ...said, isSigned: (text, signature) => equalBytes(hmac(bytes, text), signature) }
  const place = ffi.new('const unsigned char *[1]', [ffi.cast('const unsigned char *', bytes)])
  const read = ffi.C.d2i_PUBKEY!(undefined, place, bytes.length)
  if (ffi.cast('intptr_t', read) === ffi.cast('intptr_t', 0)) return undefined
  const pkey = ffi.gc(read, ffi.C.EVP_PKEY_free)
  const isSigned = (text: string, signature: string): boolean => {
    const given = algorithm === 'ES256' ? derOf(signature) : signature
    if (given === undefined) return false
    ffi.C.EVP_MD_CTX_reset!(context)
    const isRight =
      ffi.C.EVP_DigestVerifyInit!(context, keyContext, digests[algorithm], undefined, pkey) === 1 &&
      (algorithm !== 'PS256' ||
        (ffi.C.EVP_PKEY_CTX_set_rsa_padding!(keyContext[0], pssPadding) === 1 &&
          ffi.C.EVP_PKEY_CTX_set_rsa_pss_saltlen!(keyContext[0], saltAsDigest) === 1)) &&
      ffi.C.EVP_DigestVerify!(context, given, given.length, text, text.length) === 1
    // This error must not be mistaken for one of the current connection.
    if (!isRight) ffi.C.ERR_clear_error!()
    return isRight
  }
  return { ...said, isSigned }
}

const half = 32

/** A DER integer: without leading zeros, but with one if it would otherwise be negative. */
function integer(bytes: string): string {
  let from = 0
  while (from < bytes.length - 1 && bytes.charCodeAt(from) === 0) from++
  const shown = bytes.substring(from)
  const text = shown.charCodeAt(0) >= 128 ? `\0${shown}` : shown
  return `\x02${string.char(text.length)}${text}`
}

/** The two concatenated integers of a signature, in the DER form that libcrypto reads (RFC 7518, 3.4). */
function derOf(signature: string): string | undefined {
  if (signature.length !== half * 2) return undefined
  const both = integer(signature.substring(0, half)) + integer(signature.substring(half))
  return `\x30${string.char(both.length)}${both}`
}
