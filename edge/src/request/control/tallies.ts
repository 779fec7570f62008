/** The exchange with the agent, each second, of what the nodes of a site count together (contract: NginxTallies). */
import type { KeyTally, NginxTallies, NginxTalliesQuestion, SiteTally } from '@breakwater/contract/edge/tallies.ts'
import { addCounted, addDebt } from '../nginx/buckets.ts'
import { pauses } from '../nginx/turns.ts'

const dict = ngx.shared.tallies!

/** Seconds for which an attack lasts unless it is reported again: as long as the agent may be away. */
const attackSeconds = 3600

/**
 * Reads a sum and subtracts it, and deletes its key: the keys of a flood would otherwise be listed until they expire.
 * What another worker adds in the meantime is kept, unless it does so between the last two calls.
 */
function takeSum(key: string): number {
  const [value] = dict.get(key)
  const sum = (value as number | undefined) ?? 0
  const [left] = dict.incr(key, -sum)
  if (left === 0) dict.delete(key)
  return sum
}

function setAttacks(now: readonly number[]): void {
  const named: Record<string, true> = {}
  for (const site of now) {
    named[`a${site}`] = true
    dict.set(`a${site}`, 1, attackSeconds)
  }
  for (const key of dict.get_keys(0)) if (key.startsWith('a') && named[key] === undefined) dict.delete(key)
}

/**
 * Takes what other nodes counted, and returns what this node counted since the last call. Empty lists are left out:
 * they would be encoded as objects.
 */
export function exchangeTallies({ attacks, keys }: NginxTalliesQuestion): Partial<NginxTallies> {
  for (const { key, amount, seconds } of keys) {
    const raw = ngx.decode_base64(key)
    if (raw === undefined) continue
    if (seconds === 0) addDebt(raw, amount)
    else addCounted(raw, amount, seconds)
  }
  if (attacks !== undefined) setAttacks(attacks)
  const told: Required<Pick<NginxTallies, 'sites' | 'keys' | 'attacks'>> = { sites: [], keys: [], attacks: [] }
  // A flood leaves thousands of keys per second.
  const pause = pauses()
  for (const key of dict.get_keys(0)) {
    pause()
    const site = string.match(key, '^s(%d+):threshold$')[0]
    const [seconds, raw] = string.match(key, '^k(%d+):(.*)$')
    if (key.startsWith('a')) told.attacks.push(tonumber(key.substring(1))!)
    else if (site !== undefined) told.sites.push(siteTally(tonumber(site)!, key))
    else if (raw !== undefined) addKey(told.keys, raw, key, tonumber(seconds)!)
  }
  return {
    sites: told.sites.length === 0 ? undefined : told.sites,
    keys: told.keys.length === 0 ? undefined : told.keys,
    attacks: told.attacks.length === 0 ? undefined : told.attacks,
  } as Partial<NginxTallies>
}

function siteTally(site: number, thresholdKey: string): SiteTally & { threshold: number } {
  const [threshold] = dict.get(thresholdKey)
  return {
    site,
    requests: takeSum(`s${site}:requests`),
    asked: takeSum(`s${site}:asked`),
    failures: takeSum(`s${site}:failures`),
    threshold: (threshold as number | undefined) ?? 0,
  }
}

function addKey(keys: KeyTally[], raw: string, key: string, seconds: number): void {
  const amount = takeSum(key)
  if (amount > 0) keys.push({ key: ngx.encode_base64(raw), amount, seconds })
}
