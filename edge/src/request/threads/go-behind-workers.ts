/** Lets workers go first: threads use what they leave of the processors. */
import * as ffi from 'ffi'

ffi.cdef(`
typedef struct {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
} bw_scheduling;
long syscall(long number, int thread, bw_scheduling *scheduling, unsigned int flags);
`)

/** sched_setattr(2), for which libc has no function. */
const setScheduling = (jit.arch as string) === 'arm64' ? 274 : 314
const ownThread = 0
/** SCHED_OTHER and SCHED_IDLE of sched(7). */
const [other, idle] = [0, 5]
/**
 * The longest slice that Linux allows, in ns. Since 6.6 a thread keeps its CPU until its slice ends, and since 6.12
 * only a thread with a shorter slice, such as a worker, may preempt it. Older kernels ignore this.
 */
const slice = 100_000_000
const scheduling = ffi.new('bw_scheduling', { size: 48, runtime: slice })

function schedule(policy: number, niceness: number): void {
  scheduling.policy = policy
  scheduling.nice = niceness
  ffi.C.syscall!(setScheduling, ownThread, scheduling, 0)
}

/**
 * `niceness` decides what share of a CPU the thread gets beside a worker that is never idle. Call it at the start of
 * each task, because any thread of the pool may run one.
 */
export const goBehindWorkers = (niceness: number): void => schedule(other, niceness)

/**
 * For work that can be done elsewhere when no CPU is idle: a worker that wakes up preempts the thread at once. With any
 * niceness it does not if it has recently used more than its share, and others' p99 is four times as long.
 */
export const useIdleTime = (): void => schedule(idle, 0)
