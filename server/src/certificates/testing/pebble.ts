/** A real certificate authority: Debian's pebble, which rejects every fifth nonce and requires an external account. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '../../../../tests/harness/ports.ts'

export type Pebble = {
  directory: string
  /** The CA certificate of its own TLS server, in PEM. */
  trusted: string
  /** An external account that it accepts. */
  keyID: string
  hmacKey: string
  /** Whether it has renewal information (ARI): Debian 13's pebble does, Debian 12's does not. */
  hasRenewalInfo: boolean
  stop: () => Promise<void>
}

/**
 * Validates challenges at `httpPort` of the addresses that the resolver `dns` returns. Certificates are valid for
 * `lifeDays`.
 */
export async function startPebble(httpPort: number, dns: string, { lifeDays = 1825 } = {}): Promise<Pebble> {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-pebble-'))
  const [certificate, privateKey] = ['crt.pem', 'key.pem'].map((name) => join(folder, name)) as [string, string]
  makeSelfSigned(certificate, privateKey)
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const [port, managementPort, tlsPort] = [await freePort(), await freePort(), await freePort()]
  const [keyID, hmacKey] = ['kid-1', 'zWNDZM6eQGHWpSRTPal5eIUYFTu7EajVIoguysqZ9wG44nMEtx3MUAsUDkMTQ12W']
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    ...{ certificate, privateKey },
    ...{ httpPort, tlsPort, ocspResponderURL: '', externalAccountBindingRequired: true },
    externalAccountMACKeys: { [keyID]: hmacKey },
    retryAfter: { authz: 0, order: 0 },
    certificateValidityPeriod: lifeDays * 86_400,
  }
  const config = file('config.json', JSON.stringify({ pebble }))
  const child = spawn('pebble', ['-config', config, '-dnsserver', dns], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '20' },
  })
  let said = ''
  const ended = new Promise((resolve) => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    const hear = (text: Buffer) => {
      said += text.toString()
      if (/ACME directory available/.test(said)) resolve()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`pebble ended: ${said}`)))
  })
  return {
    directory: `https://localhost:${port}/dir`,
    trusted: readFileSync(certificate, 'utf8'),
    keyID,
    hmacKey,
    hasRenewalInfo: (await readDirectory(`https://localhost:${port}/dir`, readFileSync(certificate, 'utf8'))).includes(
      'renewalInfo',
    ),
    async stop() {
      child.kill()
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const read = (url: string, ca: string) =>
  new Promise<string>((resolve, reject) => {
    get(url, { ca }, (reply) => text(reply).then(resolve, reject)).on('error', reject)
  })

/** Waits for the directory: pebble announces itself a moment before it listens. */
async function readDirectory(url: string, ca: string): Promise<string> {
  for (let tries = 1; ; tries += 1)
    try {
      return await read(url, ca)
    } catch (error) {
      if ((error as { code?: string }).code !== 'ECONNREFUSED' || tries === 200) throw error
      await new Promise((done) => setTimeout(done, 50))
    }
}

/** A self-signed certificate for `localhost`. */
function makeSelfSigned(certificate: string, privateKey: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', privateKey]
  const about = ['-days', '2', '-subj', '/CN=pebble', '-addext', 'subjectAltName=DNS:localhost', '-out', certificate]
  execFileSync('openssl', ['req', '-x509', ...key, ...about], { stdio: 'ignore' })
}
