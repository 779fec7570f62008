/** Polls the reputation of addresses, writes it as one file for nginx, and announces it to nginx. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { decodeReputation, ReputationReply, reputationSignatureText } from '@breakwater/contract/edge/reputation.ts'
import { type ControlPlane, Refused } from './control-plane.ts'
import { readIfThere, writeDurably } from './files.ts'
import type { Identity } from './identity.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import type { Nginx } from './nginx.ts'
import { backoff, doorbell } from './retry.ts'
import { requireSignature } from './signatures.ts'

const POLL_MS = 60_000

export type ReputationParts = {
  layout: Layout
  identity: Pick<Identity, 'nodeId' | 'signingKeys'>
  plane: Pick<ControlPlane, 'get'>
  nginx: Pick<Nginx, 'reputation'>
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Runs until the signal is aborted. While the control plane is unreachable, the last file stays in use. */
export async function syncReputation(parts: ReputationParts, signal: AbortSignal): Promise<void> {
  const waits = backoff(1000, POLL_MS)
  const bell = doorbell()
  const path = join(parts.layout.folder, 'reputation.bin')
  const onDisk = await readIfThere(path)
  let have = onDisk === undefined ? '' : hashOf(onDisk)
  let told = ''
  while (!signal.aborted) {
    // Jittered, so that nodes started together do not poll together.
    let waitMs = POLL_MS * (0.8 + 0.4 * Math.random())
    try {
      have = await renew(parts, path, have)
      if (told !== have) await parts.nginx.reputation(have)
      told = have
      waits.succeeded()
    } catch (error) {
      waitMs = waits.failed() + (error instanceof Refused ? error.retryAfterMs : 0)
      log.warn('the reputation of addresses is not renewed', { reason: reasonOf(error) })
    }
    await bell.wait(waitMs, signal)
  }
}

/** Returns the hash of the file that is on disk then. Throws if the received file is not the signed one. */
async function renew({ layout, identity, plane }: ReputationParts, path: string, have: string): Promise<string> {
  const { hash, file, signature } = await plane.get(`/reputation?have=${have}`, ReputationReply)
  requireSignature(identity.signingKeys, signature, reputationSignatureText(identity.nodeId, hash))
  if (hash === have) return have
  const bytes = Buffer.from(file ?? '', 'base64')
  if (hashOf(bytes) !== hash) throw new Error('its bytes are not what its hash says')
  decodeReputation(bytes)
  await writeDurably(path, bytes, layout.readable)
  return hash
}
