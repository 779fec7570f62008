/**
 * Where an origin may stand. Networks that are not the public internet are refused, so that no tenant reaches the node
 * itself, its neighbours or a cloud's metadata through us (threats T7, T8), but for the operator's exceptions.
 */
import { inRangeSet, type RangeSet, rangeSet } from '../lib/address.ts'

const refused = rangeSet([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/8',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
])

/** Whether an address, as bytes, may be an origin's. */
export function mayBeOrigin(bytes: string, allowed: RangeSet): boolean {
  return !inRangeSet(refused, bytes) || inRangeSet(allowed, bytes)
}
