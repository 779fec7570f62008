/**
 * X.509 certificates of the installation's own authority: its root, the node API's server certificate, node
 * certificates.
 */
import './reflect.ts'
import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const
const dayMs = 86_400_000
/** Backdated by a day, so that a node whose clock is slow does not see a certificate that is not yet valid. */
const notBefore = () => new Date(Date.now() - dayMs)
const years = (count: number) => new Date(Date.now() + count * 365 * dayMs)

const rootYears = 30
/**
 * A node renews after a third of the lifetime, so it may be offline for eight months. Revocation is a row that is
 * checked at every request.
 */
const nodeYears = 1
export const serverDays = 90

/** 128 random bits in OpenSSL's notation for serials. The first digit keeps it positive and without a leading zero. */
export function randomSerial(): string {
  const bytes = randomBytes(16)
  bytes[0] = 0x40 | (bytes[0]! & 0x3f)
  return bytes.toString('hex')
}

/** What the authority signs with. */
export type Root = { certificate: x509.X509Certificate; key: webcrypto.CryptoKey }

/** Imports a P-256 private key in PEM as a WebCrypto key pair. */
export async function importKey(pem: string | Buffer): Promise<webcrypto.CryptoKeyPair> {
  const jwk = createPrivateKey(pem).export({ format: 'jwk' })
  const { d: _, ...publicJwk } = jwk
  return {
    privateKey: await webcrypto.subtle.importKey('jwk', jwk, ecdsa, true, ['sign']),
    publicKey: await webcrypto.subtle.importKey('jwk', publicJwk, ecdsa, true, ['verify']),
  }
}

/** Builds a root from its parts on disk. */
export function makeRoot(certificate: string, keys: webcrypto.CryptoKeyPair): Root {
  return { certificate: new x509.X509Certificate(certificate), key: keys.privateKey }
}

/** The authority's own certificate, to which everything it issues chains. */
export async function makeRootCertificate(keys: webcrypto.CryptoKeyPair): Promise<string> {
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    name: 'CN=Breakwater installation',
    notBefore: notBefore(),
    notAfter: years(rootYears),
    signingAlgorithm: ecdsa,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return certificate.toString('pem')
}

async function issue(
  root: Root,
  subject: { name: string; serial: string; publicKey: x509.PublicKeyType; notAfter: Date; usage: string },
  names: x509.JsonGeneralNames,
): Promise<string> {
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: subject.serial,
    subject: subject.name,
    issuer: root.certificate.subject,
    notBefore: notBefore(),
    notAfter: subject.notAfter,
    publicKey: subject.publicKey,
    signingKey: root.key,
    signingAlgorithm: ecdsa,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([subject.usage], true),
      await x509.AuthorityKeyIdentifierExtension.create(root.certificate),
      ...(names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : []),
    ],
  })
  return certificate.toString('pem')
}

/** A TLS server certificate for these names and addresses. */
export function issueServer(root: Root, publicKey: webcrypto.CryptoKey, names: string[]): Promise<string> {
  return issue(
    root,
    {
      name: 'CN=Breakwater node API',
      serial: randomSerial(),
      publicKey,
      notAfter: new Date(Date.now() + serverDays * dayMs),
      usage: x509.ExtendedKeyUsage.serverAuth,
    },
    names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value })),
  )
}

/** The public key of a certificate request. Undefined unless the request is validly signed with a P-256 key. */
export async function requestedKey(csr: string): Promise<x509.PublicKey | undefined> {
  try {
    const request = new x509.Pkcs10CertificateRequest(csr)
    const { name, namedCurve } = request.publicKey.algorithm as EcKeyAlgorithmLike
    const isP256 = name === 'ECDSA' && namedCurve === 'P-256'
    return isP256 && (await request.verify()) ? request.publicKey : undefined
  } catch {
    return undefined
  }
}
type EcKeyAlgorithmLike = { name: string; namedCurve?: string }

/** A node's certificate. Only the key comes from the node; its identity is set here. */
export function issueNode(root: Root, key: x509.PublicKey, nodeId: number, serial: string): Promise<string> {
  const usage = x509.ExtendedKeyUsage.clientAuth
  return issue(root, { name: `CN=${nodeId}`, serial, publicKey: key, notAfter: years(nodeYears), usage }, [])
}
