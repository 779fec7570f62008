/**
 * Verifies the certificate that an origin presented in a handshake: nginx verifies only against the CAs in its
 * configuration, and a site may have its own. An OpenSSL session keeps the peer's certificate, but not its chain.
 */
import * as ffi from 'ffi'
import { sha256 } from './crypto.ts'

ffi.cdef(`
void *SSL_SESSION_get0_peer(void *session);
void *X509_STORE_new(void);
void X509_STORE_free(void *store);
int X509_STORE_add_cert(void *store, void *certificate);
int X509_STORE_set_flags(void *store, unsigned long flags);
int X509_STORE_set_purpose(void *store, int purpose);
void *X509_STORE_CTX_new(void);
int X509_STORE_CTX_init(void *context, void *store, void *leaf, void *chain);
int X509_verify_cert(void *context);
void X509_STORE_CTX_free(void *context);
int X509_check_host(void *certificate, const char *name, size_t length, unsigned int flags, char **found);
int X509_check_ip_asc(void *certificate, const char *address, unsigned int flags);
void *BIO_new_mem_buf(const void *bytes, int length);
int BIO_free(void *bio);
void *PEM_read_bio_X509(void *bio, void **into, void *password, void *data);
void X509_free(void *certificate);
void *X509_get_X509_PUBKEY(void *certificate);
int i2d_X509_PUBKEY(void *key, unsigned char **into);
void ERR_clear_error(void);
`)

/** A chain may end at an intermediate certificate that the site gave (X509_V_FLAG_PARTIAL_CHAIN). */
const partialChain = 0x80000
/** X509_PURPOSE_SSL_SERVER. */
const forServers = 2
const certificatesMax = 50
const keyBytesMax = 16_384

/** Certificate authorities as an OpenSSL store. */
export type Authorities = object

/** The authorities in PEM text. Returns undefined if it contains none. */
export function authoritiesOf(pem: string): Authorities | undefined {
  const store = ffi.gc(ffi.C.X509_STORE_new!(), ffi.C.X509_STORE_free)
  ffi.C.X509_STORE_set_flags!(store, partialChain)
  ffi.C.X509_STORE_set_purpose!(store, forServers)
  const bio = ffi.C.BIO_new_mem_buf!(pem, pem.length)
  let count = 0
  while (count < certificatesMax) {
    const certificate = ffi.C.PEM_read_bio_X509!(bio, undefined, undefined, undefined)
    // A null pointer equals nil.
    if (certificate === undefined) break
    ffi.C.X509_STORE_add_cert!(store, certificate)
    ffi.C.X509_free!(certificate)
    count++
  }
  ffi.C.BIO_free!(bio)
  // Reaching the end of the text is an error to OpenSSL; nginx would find it in the queue later and report it.
  ffi.C.ERR_clear_error!()
  return count === 0 ? undefined : store
}

/** Whether the session's peer has a certificate of one of these authorities, for this name or address. */
export function isVouchedFor(session: unknown, authorities: Authorities, name: string): boolean {
  const leaf = ffi.C.SSL_SESSION_get0_peer!(session)
  if (leaf === undefined) return false
  const isNamed =
    ffi.C.X509_check_host!(leaf, name, name.length, 0, undefined) === 1 || ffi.C.X509_check_ip_asc!(leaf, name, 0) === 1
  if (!isNamed) return false
  const context = ffi.C.X509_STORE_CTX_new!()
  const isTrusted =
    ffi.C.X509_STORE_CTX_init!(context, authorities, leaf, undefined) === 1 && ffi.C.X509_verify_cert!(context) === 1
  ffi.C.X509_STORE_CTX_free!(context)
  ffi.C.ERR_clear_error!()
  return isTrusted
}

const keyBytes = ffi.new('unsigned char[?]', keyBytesMax)
const keyPlace = ffi.new('unsigned char *[1]')

/** SHA-256 of the public key (SPKI) of a session's peer, in base64. */
export function pinOf(session: unknown): string | undefined {
  const leaf = ffi.C.SSL_SESSION_get0_peer!(session)
  if (leaf === undefined) return undefined
  const key = ffi.C.X509_get_X509_PUBKEY!(leaf)
  const length = ffi.C.i2d_X509_PUBKEY!(key, undefined) as number
  if (length <= 0 || length > keyBytesMax) return undefined
  keyPlace[0] = keyBytes
  ffi.C.i2d_X509_PUBKEY!(key, keyPlace)
  return ngx.encode_base64(sha256(ffi.string(keyBytes, length)))
}
