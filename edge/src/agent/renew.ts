/** Renews the node's certificate after a third of its lifetime. */
import { X509Certificate } from 'node:crypto'
import { RenewReply } from '@breakwater/contract/edge/node-api.ts'
import type { ControlPlane } from './control-plane.ts'
import { certificateRequest } from './der.ts'
import { tlsKey } from './enrol.ts'
import { type Identity, writeIdentity } from './identity.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { fullJitter, pause } from './retry.ts'

const CHECK_MS = 3_600_000

/** Whether a certificate (PEM) is due for renewal at `now`, epoch ms. */
export function isDue(certificate: string, now: number): boolean {
  const { validFromDate, validToDate } = new X509Certificate(certificate)
  const life = validToDate.getTime() - validFromDate.getTime()
  return now > validFromDate.getTime() + life / 3
}

/** Checks every hour. The new certificate is on disk before it is used; the old one stays valid until then. */
export async function keepCertificate(
  layout: Layout,
  identity: Identity,
  plane: ControlPlane,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    if (isDue(identity.certificate, Date.now())) {
      try {
        await renew(layout, identity, plane)
      } catch (error) {
        log.warn('the certificate of this node is not renewed yet', { reason: reasonOf(error) })
      }
    }
    await pause(CHECK_MS / 2 + fullJitter(0, CHECK_MS / 2, CHECK_MS), signal)
  }
}

async function renew(layout: Layout, identity: Identity, plane: ControlPlane): Promise<void> {
  const csr = certificateRequest(await tlsKey(layout), String(identity.nodeId))
  const { certificate } = await plane.post('/renew', { csr }, RenewReply)
  identity.certificate = certificate
  await writeIdentity(layout, identity)
  plane.use(certificate)
  log.info('the certificate of this node was renewed', { until: new X509Certificate(certificate).validTo })
}
