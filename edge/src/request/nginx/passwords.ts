/**
 * Whether a password is right. Finding out takes some 50 ms, by design: it is done in a thread beside the worker, for one
 * request of a site at a time and for two of the worker, and a pair that was right is remembered for a while. Who comes
 * while all of them are taken waits for a short time, of which only so many may; others are sent away at once.
 */
import { passwordCost } from '@breakwater/contract/edge/password-cost.ts'
import * as semaphore from 'ngx.semaphore'
import { timeLeft } from '../lib/time-left.ts'
import { equalBytes, hmac, randomBytes } from './crypto.ts'
import { remembered } from './remembered.ts'

/** Tried at once: the pool has as many threads and as many memories (edge/src/nginx/render.ts). */
const runningMax = 2
const waitingMax = 64
const waitingOfSite = 8
/** Seconds. */
const patience = 1.5
const rememberedFor = 300
/** In each of two generations: the older one is let go whole. */
const rememberedMax = 5000

/** Of this worker alone: what it remembers says nothing of the password to anybody else. */
const secret = randomBytes(32)
const known = remembered(rememberedMax)

let running = 0
let waiting = 0
const runningOf: Record<number, boolean | undefined> = {}
const waitingOf: Record<number, number | undefined> = {}
let freed: semaphore.Semaphore | undefined

/** Made when it is first needed: nginx's master has none. */
function freedPlaces(): semaphore.Semaphore {
  const [made] = freed === undefined ? semaphore.new(0) : [freed]
  freed = made!
  return freed
}

/** `isCrypt`: the hash is what crypt(3) makes, which says itself how. */
export type StoredPassword = { salt: string; hash: string; isCrypt?: boolean }
export type PasswordVerdict = 'right' | 'wrong' | 'busy'

const keyOf = (name: string, password: string, { salt, hash }: StoredPassword): string =>
  hmac(secret, `${salt}${hash}${name.length}:${name}${password}`)

/** Whether the pair was right not long ago, of the very password that is stored. */
export function isRemembered(name: string, password: string, stored: StoredPassword, now: number): boolean {
  return known.has(keyOf(name, password, stored), now)
}

/** Compared with where there is no such name, so that a name cannot be found by the time that its refusal takes. */
const nobody: StoredPassword = { salt: randomBytes(16), hash: randomBytes(passwordCost.bytes) }

/** Waits for a place; false where there is none in time. */
function takePlace(site: number): boolean {
  const until = ngx.now() + patience
  while (running >= runningMax || runningOf[site] === true) {
    const ofSite = waitingOf[site] ?? 0
    const left = timeLeft(until, ngx.now())
    if (waiting >= waitingMax || ofSite >= waitingOfSite || left === undefined) return false
    waiting++
    waitingOf[site] = ofSite + 1
    freedPlaces().wait(left)
    waiting--
    const others = (waitingOf[site] ?? 1) - 1
    waitingOf[site] = others === 0 ? undefined : others
  }
  running++
  runningOf[site] = true
  return true
}

function leavePlace(site: number): void {
  running--
  runningOf[site] = undefined
  // All of them look again: the first may be of a site that has its place taken.
  if (waiting > 0) freedPlaces().post(waiting)
}

/** Tries a password. `stored` is nothing where nobody has that name. The request pauses meanwhile; others do not. */
export function tryPassword(
  site: number,
  name: string,
  password: string,
  stored: StoredPassword | undefined,
): PasswordVerdict {
  if (!takePlace(site)) return 'busy'
  // Whoever waited with the same pair, as a browser's requests do, need not try it again.
  if (stored !== undefined && isRemembered(name, password, stored, ngx.now())) {
    leavePlace(site)
    return 'right'
  }
  const { salt, hash, isCrypt } = stored ?? nobody
  const { n, r, p, bytes } = passwordCost
  const from = 'edge.src.request.threads.derive'
  const [isRun, derived] =
    isCrypt === true
      ? ngx.run_worker_thread('passwords', from, 'crypt', password, hash)
      : ngx.run_worker_thread('passwords', from, 'derive', password, salt, n, r, p, bytes)
  leavePlace(site)
  if (!isRun || derived === undefined || derived === '') {
    ngx.log(ngx.ERR, 'a password could not be tried: ', derived ?? '')
    return 'busy'
  }
  if (stored === undefined || !equalBytes(derived, hash)) return 'wrong'
  known.keep(keyOf(name, password, stored), ngx.now() + rememberedFor)
  return 'right'
}
