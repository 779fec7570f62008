/**
 * A slow disk: every sync of every process that is started with this environment takes longer. This is done by a small
 * preloaded library (LD_PRELOAD), compiled with the machine's C compiler.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const source = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
/* How long a sync takes now, in ms, is in a file: it changes while the processes run. */
static void wait_for_disk(void) {
  char text[16] = "";
  int file = open(DELAY, O_RDONLY);
  if (file < 0) return;
  if (read(file, text, sizeof text - 1) > 0) usleep(1000 * atoi(text));
  close(file);
}
#define SLOW(name) \\
  int name(int file) { \\
    static int (*real)(int); \\
    if (!real) real = dlsym(RTLD_NEXT, #name); \\
    wait_for_disk(); \\
    return real(file); \\
  }
SLOW(fsync)
SLOW(fdatasync)
SLOW(syncfs)
`

export type SlowDisk = {
  /** For the processes that use it. */
  environment: Record<string, string>
  /** From now on a sync takes this many ms longer. */
  slow(ms: number): void
  remove(): void
}

export const hasCompiler = (): boolean => spawnSync('cc', ['--version']).status === 0

export function slowDisk(): SlowDisk {
  const folder = mkdtempSync(join(tmpdir(), 'bw-slow-'))
  // The database runs as another user and must be able to access both.
  chmodSync(folder, 0o755)
  const library = join(folder, 'slow.so')
  const delay = join(folder, 'ms')
  const slow = (ms: number) => writeFileSync(delay, String(ms))
  slow(0)
  const options = ['-shared', '-fPIC', '-O1', `-DDELAY="${delay}"`]
  const made = spawnSync('cc', [...options, '-x', 'c', '-', '-o', library, '-ldl'], { input: source })
  if (made.status !== 0) throw new Error(`cc could not make the library: ${made.stderr}`)
  return {
    environment: { LD_PRELOAD: library },
    slow,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
