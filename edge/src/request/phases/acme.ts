/** HTTP-01 challenges of certificate authorities (RFC 8555, 8.3): any node answers any token, and nothing need be told to it. */

const prefix = '/.well-known/acme-challenge/'
/** In base64url, and far longer than any authority's. */
const tokenMax = 256

/** True where the request was a challenge, which is answered before everything else: no ban and no redirect may keep a certificate from being renewed. */
export function answerChallenge(thumbprint: string): boolean {
  const path = ngx.var.uri as string
  if (!path.startsWith(prefix)) return false
  const token = path.substring(prefix.length)
  if (token === '' || token.length > tokenMax || string.find(token, '^[%w_-]+$')[0] === undefined) return false
  ngx.header['Content-Type'] = 'text/plain'
  ngx.header['Cache-Control'] = 'no-store'
  ngx.print(`${token}.${thumbprint}`)
  ngx.exit(200)
  return true
}
