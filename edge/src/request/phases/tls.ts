/** The start of a TLS handshake: finds the site, and binds the session to it so that no other site can resume it. */
import * as ffi from 'ffi'
import { clear_certs, get_req_ssl_pointer, server_name } from 'ngx.ssl'
import { get_client_hello_server_name, set_protocols } from 'ngx.ssl.clienthello'
import { get_request } from 'resty.core.base'
import { endsHandshake, noteFailedHandshake } from '../clients/failed-handshakes.ts'
import { show } from '../sites/certificates.ts'
import { hostEntry } from '../sites/site-cache.ts'

ffi.cdef(`
int SSL_set_cipher_list(void *ssl, const char *ciphers);
int SSL_client_hello_get0_ext(void *ssl, unsigned int type, const unsigned char **bytes, size_t *length);
int SSL_set_session_id_context(void *ssl, const unsigned char *context, unsigned int length);
`)

// The nginx Lua module of Debian 13 has a function for it, and another C function with the same name.
if (get_req_ssl_pointer === undefined)
  ffi.cdef('void *ngx_http_lua_ffi_get_req_ssl_pointer(void *request, char **problem);')

/** OpenSSL's SSL structure of the handshake. */
function sessionOf(): unknown {
  if (get_req_ssl_pointer === undefined) return ffi.C.ngx_http_lua_ffi_get_req_ssl_pointer!(get_request(), problem)
  const [pointer] = get_req_ssl_pointer()
  return pointer
}

/** The ciphers of every site (nginx/render.ts), plus those that ten-year-old clients support. */
const wideCiphers = 'ECDHE+AESGCM:ECDHE+CHACHA20:ECDHE+AES'

const problem = ffi.new('char *[1]')
const extension = ffi.new('const unsigned char *[1]')
const extensionLength = ffi.new('size_t[1]')
/** The extension in which clients list their protocols (ALPN, RFC 7301). */
const alpn = 16
/** The QUIC transport parameters, which only HTTP/3 sends (RFC 9001). */
const transport = 57
const [letterH, digit2, letterX] = [104, 50, 120]

/**
 * Ends a handshake that names no host, an unknown host, or a host without a certificate: we have no certificate for it.
 * A session is resumed only under names of its own site: resumed under another site's, it would bypass that site's
 * certificate and TLS settings.
 */
export function clientHelloNow(): void {
  const [name] = get_client_hello_server_name()
  const entry = hostEntry(name === undefined ? '' : name.toLowerCase())
  const isOurs = entry?.domain.certificates !== undefined
  if (!isOurs) noteFailedHandshake(name)
  if (entry === undefined || !isOurs || endsHandshake()) {
    ngx.exit(ngx.ERROR)
    return
  }
  const ssl = sessionOf()
  // At most 32 bytes (SSL_MAX_SID_CTX_LENGTH).
  const { tlsProfile, hasHttp2, hasHttp3 } = entry.site.settings
  if (!hasHttp2) hideHttp2(ssl)
  if (!hasHttp3 && ffi.C.SSL_client_hello_get0_ext!(ssl, transport, extension, extensionLength) === 1) {
    ngx.exit(ngx.ERROR)
    return
  }
  const context = `site ${entry.site.site} ${tlsProfile}`
  if (ffi.C.SSL_set_session_id_context!(ssl, context, context.length) !== 1) throw new Error('no session context')
  if (tlsProfile === 'modern') set_protocols(['TLSv1.3'])
  else if (tlsProfile === 'wide' && ffi.C.SSL_set_cipher_list!(ssl, wideCiphers) !== 1)
    throw new Error('no such ciphers')
}

/**
 * Hides the client's HTTP/2 entry before nginx chooses a protocol: nginx configures HTTP/2 per listener only. The
 * handshake is signed over the bytes on the wire, which OpenSSL has already read.
 */
function hideHttp2(ssl: unknown): void {
  if (ffi.C.SSL_client_hello_get0_ext!(ssl, alpn, extension, extensionLength) !== 1) return
  const bytes = ffi.cast('unsigned char *', extension[0])
  const length = tonumber(extensionLength[0])!
  // After a two-byte length, each name follows its own length byte.
  let at = 2
  while (at + 2 < length) {
    const size = bytes[at] as number
    if (size === 2 && bytes[at + 1] === letterH && bytes[at + 2] === digit2) bytes[at + 1] = letterX
    at += size + 1
  }
}

/** Sets the certificates of the host that the handshake names, in place of the listener's own. */
export function certificateNow(): void {
  const [name] = server_name()
  const entry = name === undefined ? undefined : hostEntry(name.toLowerCase())
  if (entry === undefined || entry.domain.certificates === undefined) {
    ngx.exit(ngx.ERROR)
    return
  }
  clear_certs()
  show(entry.site.site, entry.domain.certificates)
}
