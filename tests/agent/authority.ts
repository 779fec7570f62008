/** A certificate authority made with the openssl command: it checks the agent's requests independently of our code. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Authority = {
  certificate: string
  file: string
  server: { cert: string; key: string }
  /** Verifies a request's own signature and returns a certificate. */
  issue(csr: string): string
  /** The same with a certificate valid for two years, half of which have passed. */
  issueOld(csr: string): string
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
  // Only `openssl ca` issues a certificate whose validity began in the past.
  const config = [
    '[ca]',
    'default_ca = own',
    '[own]',
    'database = index.txt',
    'unique_subject = no',
    'new_certs_dir = .',
    'serial = serial',
  ]
  writeFileSync(
    at('ca.cnf'),
    [...config, 'default_md = sha256', 'policy = any', '[any]', 'commonName = optional', ''].join('\n'),
  )
  writeFileSync(at('index.txt'), '')
  writeFileSync(at('serial'), '1001\n')
  const request = (csr: string) => {
    writeFileSync(at('node.csr'), csr)
    openssl('req', '-in', 'node.csr', '-verify', '-noout')
  }
  return {
    certificate: readFileSync(at('ca.pem'), 'utf8'),
    file: at('ca.pem'),
    server: { cert: readFileSync(at('server.pem'), 'utf8'), key: readFileSync(at('server.key'), 'utf8') },
    issue(csr) {
      request(csr)
      openssl('x509', '-req', '-in', 'node.csr', ...signing, '-out', 'node.pem')
      return readFileSync(at('node.pem'), 'utf8')
    },
    issueOld(csr) {
      request(csr)
      const aged = ['-startdate', dateOf(-365), '-enddate', dateOf(365)]
      const authority = ['-config', 'ca.cnf', '-cert', 'ca.pem', '-keyfile', 'ca.key']
      openssl('ca', '-batch', '-notext', ...authority, ...aged, '-in', 'node.csr', '-out', 'node.pem')
      return readFileSync(at('node.pem'), 'utf8')
    },
  }
}

/** The time this many days from now, in OpenSSL's format. */
const dateOf = (days: number): string =>
  `${new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+Z/g, '')}Z`
