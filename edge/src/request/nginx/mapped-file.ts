/** Files mapped into memory: outside Lua's garbage collector, and shared by all workers through the page cache. */
import * as ffi from 'ffi'

ffi.cdef(`
void *mmap(void *addr, size_t length, int prot, int flags, int fd, long offset);
int munmap(void *addr, size_t length);
long lseek(int fd, long offset, int whence);
int memcmp(const void *a, const void *b, size_t n);
`)

/** `owner` unmaps the file once nothing refers to it. */
export type MappedFile = { owner: unknown; size: number }

/**
 * Maps a file of at least `bytesMin` bytes. Returns undefined if it cannot be opened; throws `damaged` if it is
 * shorter.
 */
export function mapFile(path: string, bytesMin: number, damaged: string): MappedFile | undefined {
  const fd = ffi.C.open!(path, 524288) as number
  if (fd < 0) return undefined
  const size = tonumber(ffi.C.lseek!(fd, 0, 2))!
  const address = size >= bytesMin ? ffi.C.mmap!(ffi.cast('void *', 0), size, 1, 1, fd, 0) : undefined
  ffi.C.close!(fd)
  if (address === undefined || address === ffi.cast('void *', -1)) throw new Error(damaged)
  return { owner: ffi.gc(address, (memory: unknown) => ffi.C.munmap!(memory, size)), size }
}
