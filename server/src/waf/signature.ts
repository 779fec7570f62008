/** Verifies the signature of an uploaded rule set, with Debian's gpgv and only the keys that the operator trusts. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RuleSetSigner } from '@breakwater/contract/nodes/rule-set-publishers.ts'
import { fieldFault } from '../http/fault.ts'
import { readPublicKeys } from './openpgp-keys.ts'

const timeMaxMs = 10_000
const field = 'signature'

/**
 * Who signed these bytes. Throws 101003 at `signature` if it is not a signature (`wrongFormat`), is of other bytes
 * (`wrongSignature`), is by an untrusted key (`untrustedSignature`), or if it or its key has expired
 * (`expiredSignature`).
 */
export async function signerOf(bytes: Uint8Array, signature: Uint8Array, keys: string): Promise<RuleSetSigner> {
  const known = readPublicKeys(keys)
  if (known === undefined || known.publishers.length === 0) throw fieldFault(field, 'untrustedSignature')
  const said = await verify(bytes, signature, known.keyring)
  if (said.has('BADSIG')) throw fieldFault(field, 'wrongSignature')
  if (said.has('EXPSIG') || said.has('EXPKEYSIG')) throw fieldFault(field, 'expiredSignature')
  if (said.has('REVKEYSIG') || said.has('ERRSIG')) throw fieldFault(field, 'untrustedSignature')
  const valid = said.get('VALIDSIG')
  if (!valid || !said.has('GOODSIG')) throw fieldFault(field, 'wrongFormat')
  // The fields of VALIDSIG: the signing key, the date, the timestamp, …, and last the primary key.
  const publisher = known.publishers.find(({ fingerprint }) => fingerprint === (valid[9] ?? valid[0]))
  if (!publisher) throw fieldFault(field, 'untrustedSignature')
  return { ...publisher, signedAt: new Date(Number(valid[2]) * 1000).toISOString() }
}

/** The status lines of gpgv, by keyword; empty if the file is not a signature. */
async function verify(
  bytes: Uint8Array,
  signature: Uint8Array,
  keyring: Uint8Array,
): Promise<ReadonlyMap<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-signature-'))
  try {
    const [file, sig, keys] = ['file', 'file.sig', 'keys.gpg'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    await Promise.all([writeFile(file, bytes), writeFile(sig, signature), writeFile(keys, keyring)])
    const told = await run([
      '--homedir',
      folder,
      '--status-fd',
      '1',
      '--weak-digest',
      'SHA1',
      '--keyring',
      keys,
      sig,
      file,
    ])
    const lines = told.split('\n').filter((line) => line.startsWith('[GNUPG:] '))
    return new Map(lines.map((line) => line.split(' ').slice(1)).map(([word, ...rest]) => [word!, rest]))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** It exits with an error if the signature is not good: its output tells why. */
function run(words: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile('gpgv', words, { env: { LC_ALL: 'C', PATH: process.env.PATH }, timeout: timeMaxMs }, (error, stdout) => {
      if (error && typeof error.code !== 'number') reject(new Error('gpgv did not run', { cause: error }))
      else resolve(stdout)
    })
  })
}
