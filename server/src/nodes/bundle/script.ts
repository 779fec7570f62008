/** The installer script: the values for this installation and token, followed by `deploy/node/install.sh`. */
import { createPublicKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SigningKey } from '@breakwater/contract/edge/node-api.ts'

const deployed = (name: string): string =>
  readFileSync(resolve(import.meta.dirname, '../../../../deploy/node', name), 'utf8')
const body = deployed('install.sh')
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

type Particulars = {
  /** `https://host:port` of the node API, as the node reached it. */
  server: string
  /** PEM of the authority that the node is to trust. */
  authority: string
  token: string
  signingKeys: SigningKey[]
}

/** Quotes any text as one shell word. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

const pemOf = ({ publicKey }: SigningKey): string =>
  createPublicKey({
    key: Buffer.concat([spkiPrefix, Buffer.from(publicKey, 'base64')]),
    format: 'der',
    type: 'spki',
  })
    .export({ format: 'pem', type: 'spki' })
    .toString()

export function installScript({ server, authority, token, signingKeys }: Particulars): string {
  const keys = signingKeys.map((key) => `    ${quoted(key.id)}) printf %s ${quoted(pemOf(key))} ;;`)
  return [
    '#!/bin/sh',
    `server=${quoted(server)}`,
    `authority=${quoted(authority)}`,
    `token=${quoted(token)}`,
    `bundle_arch=${quoted(process.arch)}`,
    `security_versions=${quoted(deployed('security-versions.tsv'))}`,
    deployed('package-versions.sh'),
    deployed('failure-cause.sh'),
    'signing_key() {',
    '  case $1 in',
    ...keys,
    '  esac',
    '}',
    '',
    body.replace(/^#!.*\n/, ''),
  ].join('\n')
}
