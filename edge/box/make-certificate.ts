/** Self-signed certificates for a box, created by OpenSSL. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DiskCertificate } from './disk.ts'

const keyOptions = {
  ecdsa: ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
  rsa: ['-newkey', 'rsa:2048'],
}

/** A certificate for a name, valid for a year. */
export function certificateFor(id: number, name: string, algorithm: 'ecdsa' | 'rsa' = 'ecdsa'): DiskCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'bw-certificate-'))
  const [key, chain] = [join(folder, 'key'), join(folder, 'crt')]
  try {
    const about = ['-subj', `/CN=${id} ${name}`, '-addext', `subjectAltName=DNS:${name}`]
    execFileSync(
      'openssl',
      ['req', '-x509', '-nodes', '-days', '365', ...keyOptions[algorithm], ...about, '-keyout', key, '-out', chain],
      { stdio: 'ignore' },
    )
    return { id, algorithm, chain: readFileSync(chain, 'utf8'), key: readFileSync(key, 'utf8') }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
