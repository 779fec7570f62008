/** The client certificate by which origins identify the edge, ready for a handshake. */
import type { Artefact } from '@breakwater/contract/edge/artefact.ts'
import { parse_pem_cert, parse_pem_priv_key } from 'ngx.ssl'
import { secretOf } from '../nginx/secrets.ts'

export type OriginCertificate = { site: number; ref: string; chain: string; parsed: Parsed | undefined }

/** In OpenSSL's form. */
type Parsed = { chain: object; key: object }

export function originCertificateOf(
  { site, secrets }: Pick<Artefact, 'site' | 'secrets'>,
  chain: string | undefined,
): OriginCertificate | undefined {
  const ref = secrets.originCertificate
  return chain === undefined || ref === undefined ? undefined : { site, ref, chain, parsed: undefined }
}

/** Chain and key, parsed on first use. Returns undefined if unreadable: no origin is contacted without them. */
export function parsedOf(certificate: OriginCertificate): Parsed | undefined {
  if (certificate.parsed !== undefined) return certificate.parsed
  const text = secretOf(certificate.site, certificate.ref)
  if (text === undefined) return undefined
  const [chain] = parse_pem_cert(certificate.chain)
  const [key] = parse_pem_priv_key(text)
  if (chain === undefined || key === undefined) return undefined
  certificate.parsed = { chain, key }
  return certificate.parsed
}
