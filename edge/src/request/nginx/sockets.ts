/**
 * The sockets behind requests, as the kernel sees them. Reads three fields at the beginning of nginx's structures,
 * which have been there since the first versions; each use checks that it found what it expected.
 */
import * as ffi from 'ffi'

ffi.cdef(`
typedef struct { void *data; void *read; void *write; int fd; void *handlers[4]; void *listening; int64_t sent; } bw_connection;
typedef struct { void *handlers[2]; bw_connection *connection; } bw_upstream;
typedef struct { uint32_t signature; bw_connection *connection; void *skipped[7]; bw_upstream *upstream; } bw_request;
struct bw_tcp_info {
  uint8_t state[8]; uint32_t first[24]; uint64_t pacing[2]; uint64_t acked; uint64_t received; uint32_t segments[2];
  uint32_t notsent; uint32_t more[3]; uint64_t last[8];
};
struct bw_linger { int on; int seconds; };
int getsockopt(int fd, int level, int name, void *value, unsigned int *length);
int setsockopt(int fd, int level, int name, const void *value, unsigned int length);
int getpeername(int fd, void *address, unsigned int *length);
int getsockname(int fd, void *address, unsigned int *length);
int shutdown(int fd, int how);
int ioctl(int fd, unsigned long request, ...);
`)

const signature = 0x50545448
const [tcp, tcpInfo] = [6, 11]
const [ofSocket, lingerOption, acceptOption] = [1, 13, 30]
const unreadBytes = 0x541b
const unsentBytes = 0x894b
const [ipv4, ipv6] = [2, 10]

const info = ffi.new('struct bw_tcp_info')
const infoLength = ffi.sizeof('struct bw_tcp_info')
const number = ffi.new('int[1]')
const length = ffi.new('unsigned int[1]')
const address = ffi.new('unsigned char[128]')
const linger = ffi.new('struct bw_linger', 1, 0)

// biome-ignore lint/suspicious/noExplicitAny: a C structure.
function requestAt(key: number): any {
  const request = ffi.cast('bw_request *', key)
  return request.signature === signature ? request : undefined
}

/** The socket of a request's client. Returns undefined if the structure is not as expected. */
export function clientSocket(key: number): number | undefined {
  const request = requestAt(key)
  return request === undefined ? undefined : (request.connection.fd as number)
}

/** Bytes that nginx has sent for a request; with HTTP/2, those of its stream only. */
export function sentBytes(key: number): number {
  const request = requestAt(key)
  return request === undefined ? 0 : tonumber(request.connection.sent)!
}

/** Whether an origin has not yet accepted what nginx sent it: then the client of an upload is not the slow side. */
export function isOriginSlow(key: number): boolean {
  const upstream = requestAt(key)?.upstream
  // A null pointer equals nil.
  if (upstream === undefined || upstream.connection === undefined) return false
  return ffi.C.ioctl!(upstream.connection.fd, unsentBytes, number) === 0 && number[0] > 0
}

/** Bytes received from the client that nginx has not read. */
export function unread(fd: number): number {
  return ffi.C.ioctl!(fd, unreadBytes, number) === 0 ? number[0] : 0
}

/**
 * How a response progresses: bytes that the client has acknowledged, and bytes that wait here until it accepts more.
 */
export function sending(fd: number): { acked: number; waiting: number } | undefined {
  length[0] = infoLength
  if (ffi.C.getsockopt!(fd, tcp, tcpInfo, info, length) !== 0) return undefined
  return { acked: tonumber(info.acked)!, waiting: info.notsent as number }
}

/** The peer's address as 4 or 16 bytes. Returns undefined if it is not an IP connection. */
export function peerOf(fd: number): string | undefined {
  length[0] = 128
  if (ffi.C.getpeername!(fd, address, length) !== 0) return undefined
  if (address[0] === ipv4) return ffi.string(address + 4, 4)
  return address[0] === ipv6 ? ffi.string(address + 8, 16) : undefined
}

/** The local port of a socket; 0 if it has none. */
export function portOf(fd: number): number {
  length[0] = 128
  if (ffi.C.getsockname!(fd, address, length) !== 0) return 0
  return address[0] === ipv4 || address[0] === ipv6 ? address[2] * 256 + address[3] : 0
}

export function isListening(fd: number): boolean {
  length[0] = 4
  return ffi.C.getsockopt!(fd, ofSocket, acceptOption, number, length) === 0 && number[0] === 1
}

/**
 * Ends a client's connection: nginx finds it closed and cleans up as for any client that left. Unsent data is dropped
 * at once; otherwise the kernel would keep it for minutes.
 */
export function cutOff(fd: number): void {
  ffi.C.setsockopt!(fd, ofSocket, lingerOption, linger, 8)
  ffi.C.shutdown!(fd, 2)
}
