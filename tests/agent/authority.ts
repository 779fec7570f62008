/** A certificate authority by OpenSSL's own command: a judge of the agent's requests that is none of ours. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Authority = {
  certificate: string
  file: string
  server: { cert: string; key: string }
  /** Checks a request's own signature and answers with a certificate. */
  issue(csr: string): string
}

export function makeAuthority(folder: string): Authority {
  const at = (name: string) => join(folder, name)
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...curve, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', '/CN=test authority')
  openssl('req', ...curve, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=localhost')
  writeFileSync(at('server.ext'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n')
  const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2']
  openssl('x509', '-req', '-in', 'server.csr', ...signing, '-extfile', 'server.ext', '-out', 'server.pem')
  return {
    certificate: readFileSync(at('ca.pem'), 'utf8'),
    file: at('ca.pem'),
    server: { cert: readFileSync(at('server.pem'), 'utf8'), key: readFileSync(at('server.key'), 'utf8') },
    issue(csr) {
      writeFileSync(at('node.csr'), csr)
      openssl('req', '-in', 'node.csr', '-verify', '-noout')
      openssl('x509', '-req', '-in', 'node.csr', ...signing, '-out', 'node.pem')
      return readFileSync(at('node.pem'), 'utf8')
    },
  }
}
