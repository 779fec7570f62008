/**
 * The certificate that this process serves for the console's URL. Polls for a new one, so that it is served without a
 * restart.
 */
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { withSystem } from '../../db/database.ts'
import type { ConsoleTls } from '../../process/env.ts'
import type { Services } from '../../process/services.ts'
import { readConsoleCertificate } from './console-certificate.ts'

type Pair = { cert: string; key: string }

export type ServedCertificate = {
  /** Whether there is a certificate. */
  isThere: () => boolean
  /** The thumbprint that answers challenges; empty if nothing was ordered yet. */
  thumbprint: () => Promise<string>
  close: () => void
}

const lookMs = 2_000

/** Calls `show` with each new certificate. One that cannot be used is logged once. */
export async function watchCertificate(
  { database, vault, logger }: Pick<Services, 'database' | 'vault' | 'logger'>,
  { host, files }: ConsoleTls,
  show: (pair: Pair) => void,
): Promise<ServedCertificate> {
  let shown = ''
  let refused = ''
  let thumbprint = ''

  async function read(): Promise<Pair | undefined> {
    if (files) return { cert: await readFile(files.certificate, 'utf8'), key: await readFile(files.key, 'utf8') }
    const found = await withSystem(database.db, (db) => readConsoleCertificate(db, vault, host))
    thumbprint = found.thumbprint
    return found.pair
  }

  async function look(): Promise<void> {
    try {
      const pair = await read()
      if (!pair || pair.cert + pair.key === shown) return
      createSecureContext(pair)
      show(pair)
      shown = pair.cert + pair.key
      refused = ''
      logger.info({ host }, 'the console has a new certificate')
    } catch (error) {
      const { message } = error as Error
      if (message !== refused) logger.error({ host, reason: message }, 'the certificate of the console cannot be used')
      refused = message
    }
  }

  await look()
  const timer = setInterval(() => void look(), lookMs)
  timer.unref()
  return {
    isThere: () => shown !== '',
    async thumbprint() {
      if (thumbprint === '' && !files) await look()
      return thumbprint
    },
    close: () => clearInterval(timer),
  }
}
