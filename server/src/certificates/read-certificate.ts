/**
 * Parses an uploaded certificate with its key, and puts the chain in the order that browsers expect. Rejects what is
 * unusable, with the reason.
 */
import '../authority/reflect.ts'
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { fieldFault } from '../http/fault.ts'

export type ReadCertificate = {
  /** PEM, leaf first, without the root. */
  chain: string
  /** DNS names and addresses. */
  names: string[]
  algorithm: 'ecdsa' | 'rsa'
  issuer: string
  /** SHA-256 in lower-case hexadecimal. */
  fingerprint: string
  notBefore: Date
  notAfter: Date
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g
const chainMax = 10
const namesMax = 200
const rsaBitsMin = 2048
/** RFC 7633: browsers reject such a certificate without a stapled OCSP response, and we do not staple. */
const mustStapleOid = '1.3.6.1.5.5.7.1.24'
/** Curves that browsers support. */
const curves = ['prime256v1', 'secp384r1', 'secp521r1']

const refuse = (reason: string) => fieldFault('certificate', reason)
const refuseKey = (reason: string) => fieldFault('privateKey', reason)

/** Parses a key in PEM. Throws a Fault on `privateKey`. */
export function readKey(pem: string): KeyObject {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type:.*ENCRYPTED/m.test(pem)) throw refuseKey('encryptedKey')
  let key: KeyObject
  try {
    key = createPrivateKey(pem)
  } catch {
    throw refuseKey('badKey')
  }
  const { asymmetricKeyType: type, asymmetricKeyDetails: about } = key
  if (type === 'rsa') {
    if ((about?.modulusLength ?? 0) < rsaBitsMin) throw refuseKey('weakKey')
  } else if (type !== 'ec' || !curves.includes(about?.namedCurve ?? '')) throw refuseKey('unsupportedKey')
  return key
}

/**
 * Parses the certificate for a key from a PEM text with its chain in any order. Throws a Fault on `certificate`, or on
 * `privateKey` if the key does not match.
 */
export function readCertificate(pem: string, key: KeyObject, now = new Date()): ReadCertificate {
  const blocks = pem.match(certificateBlock) ?? []
  if (blocks.length === 0) throw refuse(/PRIVATE KEY/.test(pem) ? 'keyInCertificate' : 'badCertificate')
  if (blocks.length > chainMax) throw refuse('badCertificate')
  const all = blocks.map(parseBlock)
  const leaf = leafOf(all, key)
  const parsed = new x509.X509Certificate(leaf.raw)
  const names = namesOf(parsed)
  const [notBefore, notAfter] = [new Date(leaf.validFrom), new Date(leaf.validTo)]
  if (notAfter <= now) throw refuse('expiredCertificate')
  if (notBefore > now) throw refuse('notYetValid')
  if (names.length === 0) throw refuse('noNames')
  if (names.length > namesMax) throw refuse('tooManyNames')
  if (parsed.getExtension(mustStapleOid)) throw refuse('mustStaple')
  const chain = chainOf(leaf, all)
  if (chain.some(isWeaklySigned)) throw refuse('weakSignature')
  return {
    chain: chain
      .map((one) => one.toString().trim())
      .join('\n')
      .concat('\n'),
    names,
    algorithm: leaf.publicKey.asymmetricKeyType === 'rsa' ? 'rsa' : 'ecdsa',
    issuer: nameOf(leaf.issuer),
    fingerprint: leaf.fingerprint256.replaceAll(':', '').toLowerCase(),
    notBefore,
    notAfter,
  }
}

function parseBlock(block: string): X509Certificate {
  try {
    return new X509Certificate(block)
  } catch {
    throw refuse('badCertificate')
  }
}

const spki = (key: KeyObject) => key.export({ type: 'spki', format: 'der' })

/**
 * The leaf certificate for the key. If none matches, the error tells a wrong key from a text without any server
 * certificate.
 */
function leafOf(all: X509Certificate[], key: KeyObject): X509Certificate {
  const wanted = spki(createPublicKey(key))
  const leaf = all.find((one) => spki(one.publicKey).equals(wanted))
  const isAuthority = (one: X509Certificate) => one.ca && !one.checkIssued(one)
  if (leaf && !isAuthority(leaf)) return leaf
  throw !leaf && all.some((one) => !isAuthority(one)) ? refuseKey('keyMismatch') : refuse('noLeaf')
}

/** The chain from the leaf up. Unrelated certificates are left out, and so is the root, which browsers have. */
function chainOf(leaf: X509Certificate, all: X509Certificate[]): X509Certificate[] {
  const chain = [leaf]
  for (;;) {
    const last = chain.at(-1)!
    const issuer = all.find((one) => !chain.includes(one) && last.checkIssued(one) && last.verify(one.publicKey))
    if (!issuer || issuer.checkIssued(issuer)) return chain
    chain.push(issuer)
  }
}

function namesOf(certificate: x509.X509Certificate): string[] {
  const found = certificate.getExtension(x509.SubjectAlternativeNameExtension)
  const names = found?.names.items.filter(({ type }) => type === 'dns' || type === 'ip') ?? []
  return [...new Set(names.map(({ value }) => value.toLowerCase()))]
}

/** Signed with SHA-1 or older, which no browser accepts. The signature of a self-signed certificate does not matter. */
function isWeaklySigned(certificate: X509Certificate): boolean {
  if (certificate.checkIssued(certificate)) return false
  const { hash } = new x509.X509Certificate(certificate.raw).signatureAlgorithm as { hash?: { name: string } }
  return hash?.name === 'SHA-1' || hash?.name === undefined
}

/** Organisation and common name of a subject such as `C=US\nO=Let's Encrypt\nCN=E5`. */
function nameOf(subject: string): string {
  const fields = new Map(subject.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line]))
  const [organisation, common] = ['O', 'CN'].map((key) => fields.get(key)?.slice(key.length + 1))
  return [organisation, common].filter(Boolean).join(' ') || subject.replaceAll('\n', ', ')
}
