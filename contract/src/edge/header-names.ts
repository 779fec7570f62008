/**
 * Header names that mean something to the edge: those that a customer may not set, and those of a visitor's request
 * that an origin never sees. Lower case. Imports nothing: the request path compiles it to Lua.
 */

/**
 * Headers that frame or route a message, prevent loops, or identify the client: no rule of a customer sets or removes
 * them.
 */
export const reservedHeaders: readonly string[] = [
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'cdn-loop',
  'expect',
  'accept-encoding',
  'surrogate-capability',
  'age',
  'date',
  'content-encoding',
  'content-range',
  'x-request-id',
  'x-cache',
  'forwarded',
  'x-real-ip',
]

/** All headers with these prefixes are reserved too. */
const reservedPrefixes = ['x-breakwater-', 'x-bw-', 'x-accel-', 'x-forwarded-', 'proxy-']

/** Whether a customer may not set or remove a header, in either direction. */
export function isReservedHeader(name: string): boolean {
  const lower = name.toLowerCase()
  if (reservedHeaders.includes(lower)) return true
  for (const prefix of reservedPrefixes) if (lower.startsWith(prefix)) return true
  return false
}

/**
 * Headers in which other proxies send the client's address. A visitor's own are removed, since an origin would trust
 * them. The edge sends the address in X-Forwarded-For and X-Real-IP.
 */
export const clientAddressHeaders: readonly string[] = [
  'true-client-ip',
  'cf-connecting-ip',
  'cf-connecting-ipv6',
  'cf-pseudo-ipv4',
  'fastly-client-ip',
  'fly-client-ip',
  'akamai-client-ip',
  'incap-client-ip',
  'x-appengine-user-ip',
  'x-azure-clientip',
  'x-azure-socketip',
  'x-client-ip',
  'x-cluster-client-ip',
  'x-envoy-external-address',
  'x-originating-ip',
  'x-original-forwarded-for',
  'x-originally-forwarded-for',
  'x-proxyuser-ip',
  'x-remote-addr',
  'x-remote-ip',
  'x-true-client-ip',
  'x-vercel-forwarded-for',
  'client-ip',
  'forwarded-for',
  'x-forwarded',
  'proxy-client-ip',
  'wl-proxy-client-ip',
  'ali-cdn-real-ip',
  'cdn-real-ip',
  'cdn-src-ip',
  'cf-ipcountry',
  'cloudfront-viewer-address',
  'do-connecting-ip',
  'x-nf-client-connection-ip',
]

/** Headers from which some frameworks take a URL other than the request's. No origin gets them, whoever set them. */
export const urlOverrideHeaders: readonly string[] = ['x-original-url', 'x-rewrite-url']

/**
 * Whether a rule may not set or remove a header of the request to the origin. Headers that no origin ever gets count as
 * reserved, since setting them would have no effect.
 */
export function isReservedRequestHeader(name: string): boolean {
  const lower = name.toLowerCase()
  return isReservedHeader(lower) || clientAddressHeaders.includes(lower) || urlOverrideHeaders.includes(lower)
}

/**
 * Headers that change the response of some framework but are unknown to a cache: routing, method and scheme overrides,
 * and debug switches. Removed from GET and HEAD unless a site allows them, which makes them part of its cache key.
 * Collected from published research on web cache poisoning (James Kettle, "Practical Web Cache Poisoning", 2018, and
 * "Web Cache Entanglement", 2020) and from the documentation of the frameworks that read them.
 */
export const unkeyedHeaders: readonly string[] = [
  'base-url',
  'destination-url',
  'front-end-https',
  'http-url',
  'proxy-host',
  'proxy-url',
  'redirect',
  'request-uri',
  'uri',
  'url',
  'x-backend-host',
  'x-base-url',
  'x-debug',
  'x-destination-url',
  'x-forward-for',
  'x-forward-proto',
  'x-forwarded-by',
  'x-forwarded-for-original',
  'x-forwarded-host',
  'x-forwarded-https',
  'x-forwarded-path',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'x-forwarded-protocol',
  'x-forwarded-scheme',
  'x-forwarded-server',
  'x-forwarded-ssl',
  'x-forwarded-uri',
  'x-forwarded-url',
  'x-forwarder-for',
  'x-forwarded-context',
  'x-gateway-host',
  'x-host',
  'x-host-override',
  'x-http-destinationurl',
  'x-http-host-override',
  'x-http-method',
  'x-http-method-override',
  'x-http-path-override',
  'x-http-scheme',
  'x-https',
  'x-method-override',
  'x-original-host',
  'x-original-path',
  'x-original-uri',
  'x-original-url',
  'x-override-url',
  'x-path-prefix',
  'x-prefix',
  'x-proto',
  'x-proxy-host',
  'x-proxy-url',
  'x-request-uri',
  'x-rewrite-path',
  'x-rewrite-uri',
  'x-rewrite-url',
  'x-scheme',
  'x-script-name',
  'x-server-name',
  'x-ssl',
  'x-ssl-offloaded',
  'x-url-scheme',
  'x-wap-profile',
]

/**
 * Headers by which a front end requests part of a page, or its data. The response to such a request is stored only if
 * its Vary names the header: otherwise the next visitor would get the part instead of the page.
 */
export const partialPageHeaders: readonly string[] = [
  'hx-request',
  'rsc',
  'next-router-state-tree',
  'turbo-frame',
  'x-inertia',
  'x-inertia-partial-data',
  'x-middleware-prefetch',
  'x-middleware-subrequest',
  'x-nextjs-data',
  'x-pjax',
  'x-requested-with',
  'x-sveltekit-invalidated',
  'x-up-target',
]
