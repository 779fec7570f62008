/**
 * Reads, appends to and lists files. Everything here blocks its worker: use it for small files, and never once per
 * request, except for a body that nginx has just written.
 */
import * as ffi from 'ffi'

ffi.cdef(`
int open(const char *path, int flags, ...);
int close(int fd);
long write(int fd, const void *data, size_t count);
typedef struct __dirstream bw_DIR;
bw_DIR *opendir(const char *name);
int closedir(bw_DIR *dir);
struct bw_dirent { uint64_t d_ino; int64_t d_off; unsigned short d_reclen; unsigned char d_type; char d_name[256]; };
struct bw_dirent *readdir(bw_DIR *dir);
`)

/** The bytes of a file. Returns undefined if it cannot be read. */
export function readFile(path: string): string | undefined {
  const [file] = io.open(path, 'rb')
  if (file === undefined) return undefined
  const content = file.read('*a')
  file.close()
  return content as string | undefined
}

/** Appends with a single write, so that lines of several workers never mix, and a rotated file is released at once. */
export function appendFile(path: string, data: string): boolean {
  // O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC
  const fd = ffi.C.open!(path, 1 + 1024 + 64 + 524288, ffi.cast('int', 420)) as number
  if (fd < 0) return false
  const written = tonumber(ffi.C.write!(fd, data, data.length))
  ffi.C.close!(fd)
  return written === data.length
}

/** The names in a folder, except those that begin with a dot. */
export function namesIn(path: string): string[] {
  const names: string[] = []
  const dir = ffi.C.opendir!(path)
  if (!dir || dir === ffi.cast('bw_DIR *', 0)) return names
  for (;;) {
    const entry = ffi.C.readdir!(dir)
    if (entry === undefined || entry === ffi.cast('struct bw_dirent *', 0)) break
    const name = ffi.string(entry.d_name)
    if (!name.startsWith('.')) names.push(name)
  }
  ffi.C.closedir!(dir)
  return names
}

/** The length of a file; 0 if it cannot be opened. */
export function fileSize(path: string): number {
  const [file] = io.open(path, 'rb')
  if (file === undefined) return 0
  const [size] = file.seek('end')
  file.close()
  return size ?? 0
}

/** Empties a file in place, so that it keeps its owner. */
export function truncateFile(path: string): boolean {
  const [file] = io.open(path, 'r+b')
  if (file === undefined) return false
  file.close()
  // O_WRONLY | O_TRUNC
  const fd = ffi.C.open!(path, 1 + 512, ffi.cast('int', 0)) as number
  if (fd < 0) return false
  ffi.C.close!(fd)
  return true
}
