/** Enrolment: keys are created here, a one-time token stands in for a certificate, and the reply is kept on disk. */
import { join } from 'node:path'
import { schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import { EnrolReply, type EnrolRequest } from '@breakwater/contract/edge/node-api.ts'
import { errors } from '@breakwater/contract/errors.ts'
import { connectControlPlane, Refused } from './control-plane.ts'
import { certificateRequest } from './der.ts'
import { type Identity, readIdentity, writeIdentity } from './identity.ts'
import { ownKey } from './keys.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { backoff, pause } from './retry.ts'
import { rawPublicKey } from './seal.ts'
import type { Settings } from './settings.ts'
import { version } from './version.ts'

/** A retry cannot make the enrolment succeed. The process exits with this code, so that a supervisor can tell. */
export class EnrolError extends Error {
  readonly exitCode: number
  constructor(message: string, exitCode: number) {
    super(message)
    this.exitCode = exitCode
  }
}

export const exitCodes = { setting: 2, token: 3, clock: 4, running: 5 } as const

export const tlsKey = (layout: Layout) => ownKey(join(layout.own, 'tls.key'), 'tls', layout.private)
export const sealKey = (layout: Layout) => ownKey(join(layout.own, 'seal.key'), 'seal', layout.private)

/** The identity on disk, or a new one obtained with the token. Waits while the control plane is unreachable. */
export async function enrol(settings: Settings, layout: Layout): Promise<Identity> {
  const known = await readIdentity(layout)
  if (known) return known
  const { server, serverCa, enrolToken } = settings
  if (!server || !serverCa)
    throw new EnrolError('BREAKWATER_SERVER and BREAKWATER_SERVER_CA are needed to enrol', exitCodes.setting)
  if (!enrolToken) {
    throw new EnrolError(
      'this node is not enrolled: make a token in the console and set BREAKWATER_ENROL_TOKEN',
      exitCodes.token,
    )
  }
  const key = await tlsKey(layout)
  const request = {
    token: enrolToken,
    name: settings.nodeName,
    csr: certificateRequest(key, settings.nodeName),
    sealKey: rawPublicKey(await sealKey(layout)).toString('base64'),
    version,
    schemas: [schemaCurrent],
  }
  const identity = await ask(server, serverCa, request)
  await writeIdentity(layout, identity)
  log.info('enrolled', { node: identity.nodeId, zone: identity.zoneId, group: identity.groupId })
  return identity
}

async function ask(server: string, authority: string, request: Omit<EnrolRequest, 'clock'>): Promise<EnrolReply> {
  const plane = connectControlPlane(server, { authority })
  const waits = backoff(500, 30_000)
  try {
    for (;;) {
      try {
        return await plane.post('/enrol', { ...request, clock: Date.now() }, EnrolReply)
      } catch (error) {
        if (error instanceof Refused && error.final) throw explain(error)
        const retryAfterMs = error instanceof Refused ? error.retryAfterMs : 0
        log.warn('cannot enrol yet', { reason: reasonOf(error) })
        await pause(waits.failed() + retryAfterMs)
      }
    }
  } finally {
    plane.close()
  }
}

function explain(refused: Refused): EnrolError {
  if (refused.code === errors.invalidNodeTime.code) {
    return new EnrolError('the clock of this node is more than 30 s off: set it, then start again', exitCodes.clock)
  }
  const what = 'the control plane does not accept the enrolment token: it was used, has expired or is unknown'
  return new EnrolError(`${what}. Make a new one in the console. (${refused.message})`, exitCodes.token)
}
