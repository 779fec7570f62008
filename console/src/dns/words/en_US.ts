import type { Phrases } from '../../platform/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = {
  title: 'DNS provider',
  help: 'How records are written to the DNS zone of your edge. Automatic certificates need it to verify domains over DNS; records of sites are still set by you.',
  provider: 'Name server',
  'provider.help':
    'With it, wildcards and domains that do not point here yet get automatic certificates, too: customers set one CNAME, once.',
  type: 'Type',
  'type.none': 'None',
  'type.rfc2136': 'Dynamic updates (RFC 2136)',
  zone: 'Zone',
  'zone.help': 'Records are written below acme in this zone.',
  server: 'Server',
  'server.help':
    'The primary that takes updates over TCP, for example BIND, Knot or PowerDNS; with a port if that is not 53.',
  key: 'TSIG key name',
  secret: 'TSIG secret',
  'secret.help': 'HMAC-SHA256, in base64. It is stored encrypted, and nobody can read it again.',
  'secret.kept': 'Stored; leave empty to keep it.',
  test: 'Test',
  tested: 'Connection Success!',
  saved: 'SET SUCCESS',
  remove:
    'The setting and its key are deleted. Certificates of domains that are verified over DNS cannot be renewed any more.',
} satisfies Phrases<typeof source>
