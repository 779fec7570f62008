/** Where an origin may be: never where it would let a customer reach our own machine or network. */
import { isIP } from 'node:net'
import type { Tier } from '@breakwater/contract/tiers.ts'
import { Fault } from '../http/fault.ts'
import type { OutboundGuard } from '../outbound/guard.ts'

/** Names of our own machines and networks, whatever DNS returns for them. */
const ownNames = /(^|\.)(localhost|localdomain|internal|local)$/i

/** The hint for a refused private origin: customers learn whom to ask, operators which variable to set. */
const privateOriginHint = (tier: Tier): string =>
  tier === 'user'
    ? 'Ask the operator of this platform to allow your private network, or give a public address.'
    : 'Private networks are allowed in BREAKWATER_ALLOW_ORIGINS, a variable of the control plane.'

/**
 * Throws for addresses that are not public and for names of this machine. The edge resolves names again at each
 * connection, with the same networks closed; here only what the text alone reveals is refused.
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
