/** Where an origin may stand: never where it would let a customer reach our own machine or network. */
import { isIP } from 'node:net'
import type { Tier } from '@breakwater/contract/tiers.ts'
import { Fault } from '../http/fault.ts'
import type { OutboundGuard } from '../outbound/guard.ts'

/** Names that mean a machine of ours whatever DNS says. */
const ownNames = /(^|\.)(localhost|localdomain|internal|local)$/i

/** What the refusal of a private origin says: to a customer whom to ask, to who runs the machines where it is set. */
const privateOriginHint = (tier: Tier): string =>
  tier === 'user'
    ? 'Ask the operator of this platform to allow your private network, or give a public address.'
    : 'Private networks are allowed in BREAKWATER_ALLOW_ORIGINS, a variable of the control plane.'

/**
 * Refuses addresses that are not public and names that stand for this machine. A name is resolved again by the edge at
 * each connection, with the same networks closed; here only what is plain from the text is refused.
 */
export function requireReachable(
  guard: OutboundGuard,
  upstreams: { ip: string }[],
  field: (index: number) => string,
  tier: Tier,
): void {
  for (const [index, { ip }] of upstreams.entries()) {
    const bare = ip.replace(/^\[|\]$/g, '')
    const refused = isIP(bare) ? !guard.mayReach(bare) : ownNames.test(bare.replace(/\.$/, ''))
    if (refused)
      throw new Fault('parameterError', [
        { field: field(index), reason: 'privateOrigin', hint: privateOriginHint(tier) },
      ])
  }
}
