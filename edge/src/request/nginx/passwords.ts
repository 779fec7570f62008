/**
 * Checks passwords. A check takes some 50 ms by design, so it runs in a thread: one at a time per site, two per worker.
 * A pair that was right is remembered for a while. Requests beyond that wait briefly, up to a limit; all others are
 * refused at once.
 */
import { passwordCost } from '@breakwater/contract/edge/password-cost.ts'
import * as semaphore from 'ngx.semaphore'
import { timeLeft } from '../lib/time-left.ts'
import { equalBytes, hmac, randomBytes } from './crypto.ts'
import { remembered } from './remembered.ts'

/** Checks that run at once: the pool has as many threads and memories (edge/src/nginx/render.ts). */
const runningMax = 2
const waitingMax = 64
const waitingOfSite = 8
/** In seconds. */
const patience = 1.5
const rememberedFor = 300
/** Per generation, of which there are two: the older one is dropped as a whole. */
const rememberedMax = 5000

/** Known to this worker only: what it remembers reveals nothing about the password to others. */
const secret = randomBytes(32)
const known = remembered(rememberedMax)

let running = 0
let waiting = 0
const runningOf: Record<number, boolean | undefined> = {}
const waitingOf: Record<number, number | undefined> = {}
let freed: semaphore.Semaphore | undefined

/** Created on first use: nginx's master process has no semaphores. */
function freedPlaces(): semaphore.Semaphore {
  const [made] = freed === undefined ? semaphore.new(0) : [freed]
  freed = made!
  return freed
}

/** `isCrypt`: the hash is one of crypt(3), which names its own algorithm. */
export type StoredPassword = { salt: string; hash: string; isCrypt?: boolean }
export type PasswordVerdict = 'right' | 'wrong' | 'busy'

const keyOf = (name: string, password: string, { salt, hash }: StoredPassword): string =>
  hmac(secret, `${salt}${hash}${name.length}:${name}${password}`)

/** Whether the pair was recently right, for the password as it is stored now. */
export function isRemembered(name: string, password: string, stored: StoredPassword, now: number): boolean {
  return known.has(keyOf(name, password, stored), now)
}

/** Used for unknown names, so that the time a refusal takes does not reveal whether a name exists. */
const nobody: StoredPassword = { salt: randomBytes(16), hash: randomBytes(passwordCost.bytes) }

/** Waits for a free place. Returns false if there is none in time. */
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
  // Wakes all that wait: the first may belong to a site whose place is taken.
  if (waiting > 0) freedPlaces().post(waiting)
}

/** Tries a password. `stored` is undefined for an unknown name. Only this request waits in the meantime. */
export function tryPassword(
  site: number,
  name: string,
  password: string,
  stored: StoredPassword | undefined,
): PasswordVerdict {
  if (!takePlace(site)) return 'busy'
  // A request that waited with the same pair, as a browser's do, need not try it again.
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
