/** Certificates and keys for handshakes: read from the disk when they are first asked for, kept while they are used. */
import type { CertificateRef } from '@breakwater/contract/edge/artefact.ts'
import { parse_pem_cert, parse_pem_priv_key, set_cert, set_priv_key } from 'ngx.ssl'
import { readFile } from '../nginx/files.ts'
import { node } from '../nginx/node.ts'
import { objects } from './objects.ts'
import { readPart } from './source.ts'

/** As OpenSSL takes them: some 11 KB. */
type Pair = { chain: object; key: object }

/** Of each half of what is kept: what is used moves to the young one, what is not goes with the old one. */
const halfMax = 2000
let young: Record<string, Pair> = {}
let old: Record<string, Pair> = {}
let youngCount = 0

function read(site: number, ref: CertificateRef): Pair {
  const { part } = readPart('certificate', ref.chain, objects)
  const [chain, problem] = parse_pem_cert(part.chain)
  if (chain === undefined) throw new Error(`certificate ${part.certificate}: ${problem}`)
  const text = readFile(`${node().folder}/secrets/${site}.${ref.key}`)
  if (text === undefined) throw new Error(`the key ${ref.key} is missing`)
  const [key, trouble] = parse_pem_priv_key(text)
  if (key === undefined) throw new Error(`the key ${ref.key}: ${trouble}`)
  return { chain, key }
}

/** Chain and key never change under their names. */
function pairOf(site: number, ref: CertificateRef): Pair {
  const name = `${site} ${ref.key} ${ref.chain}`
  const known = young[name]
  if (known !== undefined) return known
  if (youngCount >= halfMax) {
    old = young
    young = {}
    youngCount = 0
  }
  const pair = old[name] ?? read(site, ref)
  young[name] = pair
  youngCount++
  return pair
}

/**
 * Those to show: of the first source that has one that is valid, or else of the first: who comes to a site whose
 * certificate has ended shall read that it has.
 */
function chosen(refs: readonly CertificateRef[], now: number): CertificateRef[] {
  let first = refs[0]!
  let isValid = false
  for (const ref of refs) {
    if (isValid || ref.notAfter <= now) continue
    first = ref
    isValid = true
  }
  const found: CertificateRef[] = []
  for (const ref of refs) if (ref.isAutomatic === first.isAutomatic && (!isValid || ref.notAfter > now)) found.push(ref)
  return found
}

/** Shows a site's certificates in the handshake that is under way. Throws where none can be. */
export function show(site: number, refs: readonly CertificateRef[]): void {
  for (const ref of refs.length === 1 ? refs : chosen(refs, ngx.time())) {
    const { chain, key } = pairOf(site, ref)
    const [hasChain, problem] = set_cert(chain)
    if (hasChain === undefined) throw new Error(`certificate: ${problem}`)
    const [hasKey, trouble] = set_priv_key(key)
    if (hasKey === undefined) throw new Error(`key: ${trouble}`)
  }
}
