/**
 * Answers HTTP-01 challenges of certificate authorities (RFC 8555, 8.3). Any node can answer any token without knowing
 * about the order.
 */

const prefix = '/.well-known/acme-challenge/'
/** Tokens are base64url; this is far longer than any authority's. */
const tokenMax = 256

/**
 * Returns true if the request was a challenge. Challenges are answered before everything else: no ban and no redirect
 * may keep a certificate from being renewed.
 */
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
