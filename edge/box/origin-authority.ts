/** Certificate authorities for tests, and certificates that they issued, created by OpenSSL. */
import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Issued = { cert: string; key: string; pin: string }

/** An authority, and a certificate issued by it for each name or address, for servers and clients. */
export function authorityWith(...names: string[]): { ca: string; issued: Record<string, Issued> } {
  const folder = mkdtempSync(join(tmpdir(), 'bw-ca-'))
  const openssl = (...words: string[]) => execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' })
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  openssl(
    'req',
    '-x509',
    ...curve,
    '-days',
    '30',
    '-subj',
    `/CN=ca of ${names[0]}`,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  )
  const issued: Record<string, Issued> = {}
  for (const name of names) {
    openssl('req', ...curve, '-subj', `/CN=${name}`, '-keyout', 'own.key', '-out', 'own.csr')
    const kind = /^[\d.]+$/.test(name) ? 'IP' : 'DNS'
    writeFileSync(join(folder, 'own.ext'), `subjectAltName=${kind}:${name}\n`)
    openssl(
      ...['x509', '-req', '-in', 'own.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '30'],
      ...['-extfile', 'own.ext', '-out', 'own.pem'],
    )
    const cert = read('own.pem')
    const spki = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' })
    issued[name] = { cert, key: read('own.key'), pin: createHash('sha256').update(spki).digest('base64') }
  }
  const ca = read('ca.pem')
  rmSync(folder, { recursive: true })
  return { ca, issued }
}
