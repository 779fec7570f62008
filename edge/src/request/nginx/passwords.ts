/**
 * Checks passwords. A check takes some 50 ms by design, so it runs in a thread: one at a time per site, two per worker.
 * A pair that was right is remembered for a while. Requests beyond that wait briefly, up to a limit; all others are
 * refused at once.
 */
import { passwordCost } from '@breakwater/contract/edge/password-cost.ts'
import { equalBytes, hmac, randomBytes } from './crypto.ts'
import { newPlaces } from './places.ts'
import { remembered } from './remembered.ts'

/** As many run as the pool has threads (edge/src/nginx/render.ts). */
const places = newPlaces({ running: 2, waiting: 64, waitingOfSite: 8, patience: 1.5 })
/** In seconds. */
const rememberedFor = 300
/** Per generation, of which there are two: the older one is dropped as a whole. */
const rememberedMax = 5000

/** Known to this worker only: what it remembers reveals nothing about the password to others. */
const secret = randomBytes(32)
const known = remembered(rememberedMax)

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

/** Tries a password. `stored` is undefined for an unknown name. Only this request waits in the meantime. */
export function tryPassword(
  site: number,
  name: string,
  password: string,
  stored: StoredPassword | undefined,
): PasswordVerdict {
  if (places.take(site) !== 'taken') return 'busy'
  // A request that waited with the same pair, as a browser's do, need not try it again.
  if (stored !== undefined && isRemembered(name, password, stored, ngx.now())) {
    places.leave(site)
    return 'right'
  }
  const { salt, hash, isCrypt } = stored ?? nobody
  const { n, r, p, bytes } = passwordCost
  const from = 'edge.src.request.threads.derive'
  const [isRun, derived] =
    isCrypt === true
      ? ngx.run_worker_thread('passwords', from, 'crypt', password, hash)
      : ngx.run_worker_thread('passwords', from, 'derive', password, salt, n, r, p, bytes)
  places.leave(site)
  if (!isRun || typeof derived !== 'string' || derived === '') {
    ngx.log(ngx.ERR, 'a password could not be tried: ', tostring(derived))
    return 'busy'
  }
  if (stored === undefined || !equalBytes(derived, hash)) return 'wrong'
  known.keep(keyOf(name, password, stored), ngx.now() + rememberedFor)
  return 'right'
}
