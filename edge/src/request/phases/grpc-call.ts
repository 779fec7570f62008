/** gRPC calls: how they are recognized, and how the edge answers one itself. */

/** A call is a POST over HTTP/2 with this content type, optionally followed by the message format (`+proto`). */
const grpcType = 'application/grpc'

/** Whether the current request is a gRPC call. A gRPC-Web request is handled as an ordinary request. */
export function isCall(method: string): boolean {
  if (method !== 'POST') return false
  const vars = ngx.var
  return isCallType(vars.http_content_type as string | undefined) && vars.server_protocol === 'HTTP/2.0'
}

/** Whether a content type is one of gRPC's. */
export function isCallType(type: string | undefined): boolean {
  if (type === undefined || !type.startsWith(grpcType)) return false
  const next = type.substring(grpcType.length, grpcType.length + 1)
  return next === '' || next === '+' || next === ';'
}

/** gRPC status codes by HTTP status. */
const codes: Record<number, number> = {
  // INTERNAL
  ...{ 400: 13, 411: 13, 500: 13 },
  // UNAUTHENTICATED, PERMISSION_DENIED
  ...{ 401: 16, 403: 7 },
  // RESOURCE_EXHAUSTED
  ...{ 413: 8, 429: 8 },
  // UNAVAILABLE
  ...{ 421: 14, 502: 14, 503: 14, 504: 14 },
}
const unknown = 2

/** Ends a call without messages (trailers-only): the status is in the response headers. */
export function endCall(status: number, message: string): void {
  ngx.var.bw_route = 'refused'
  ngx.status = 200
  ngx.header['Content-Type'] = grpcType
  ngx.header['Content-Length'] = '0'
  ngx.header['grpc-status'] = `${codes[status] ?? unknown}`
  ngx.header['grpc-message'] = ngx.escape_uri(message)
  ngx.exit(200)
}
