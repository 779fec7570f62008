/** The signed bundle of a node: a folder with a list of hashes and a signature over it, packed for download. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import type { Signer } from '../../authority/signing-keys.ts'
import { copyNodeFiles } from './contents.ts'

const run = promisify(execFile)

export type Bundle = { path: string; bytes: number }

/**
 * Builds `<dataFolder>/bundle/node-<arch>.tar.gz`. In it `SHA256SUMS` (in the format of `sha256sum -c`) lists every
 * file, and `SHA256SUMS.sig` is the raw Ed25519 signature over it by the installation's signing key `SHA256SUMS.key`.
 */
export async function buildBundle(dataFolder: string, signer: Signer): Promise<Bundle> {
  const home = join(dataFolder, 'bundle')
  await mkdir(home, { recursive: true, mode: 0o700 })
  const staging = await mkdtemp(join(home, 'making-'))
  try {
    const folder = join(staging, 'breakwater-node')
    await mkdir(folder)
    copyNodeFiles(folder)
    const sums = await sumsOf(folder)
    const signature = signer.sign(sums)
    await writeFile(join(folder, 'SHA256SUMS'), sums)
    await writeFile(join(folder, 'SHA256SUMS.sig'), Buffer.from(signature.value, 'base64'))
    await writeFile(join(folder, 'SHA256SUMS.key'), `${signature.keyId}\n`)
    const packed = join(staging, 'packed')
    const owned = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner']
    await run('tar', [...owned, '--use-compress-program=gzip -1', '-cf', packed, '-C', staging, 'breakwater-node'])
    const path = join(home, `node-${process.arch}.tar.gz`)
    await rename(packed, path)
    return { path, bytes: (await stat(path)).size }
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function sumsOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const lines: string[] = []
  for (const path of paths.sort()) lines.push(`${await hashOf(path)}  ${relative(folder, path)}\n`)
  return lines.join('')
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
