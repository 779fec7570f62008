/** Certificates and keys for TLS handshakes: read from disk on first use, and kept while in use. */
import type { CertificateRef } from '@breakwater/contract/edge/artefact.ts'
import { parse_pem_cert, parse_pem_priv_key, set_cert, set_priv_key } from 'ngx.ssl'
import { readFile } from '../nginx/files.ts'
import { node } from '../nginx/node.ts'
import { objects } from './objects.ts'
import { readPart } from './source.ts'

/** In OpenSSL's form: about 11 KB. */
type Pair = { chain: object; key: object }

/** The limit for each half of the cache: used entries move to the young half, unused ones go with the old one. */
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

/** A chain or key never changes under the same name. */
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
 * The certificates to present: those of the first source with a valid one, or else of the first source, so that
 * visitors of a site whose certificate expired see that it has.
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

/** Presents a site's certificates in the current handshake. Throws if that is impossible. */
export function show(site: number, refs: readonly CertificateRef[]): void {
  for (const ref of refs.length === 1 ? refs : chosen(refs, ngx.time())) {
    const { chain, key } = pairOf(site, ref)
    const [hasChain, problem] = set_cert(chain)
    if (hasChain === undefined) throw new Error(`certificate: ${problem}`)
    const [hasKey, trouble] = set_priv_key(key)
    if (hasKey === undefined) throw new Error(`key: ${trouble}`)
  }
}
