import type { Phrases } from '../../platform/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = {
  title: 'DNS provider',
  help: 'How the DNS zone of your edge is written to. Automatic certificates need it to verify domains over DNS, and so do records of a site’s own.',
  provider: 'Name server',
  'provider.help':
    'With it, wildcards and domains that do not point here yet get automatic certificates, too: customers set one CNAME, once.',
  type: 'Type',
  'type.none': 'None',
  'type.rfc2136': 'Dynamic updates (RFC 2136)',
  zone: 'Zone',
  'zone.help':
    'Records of certificates go below the name acme of this zone, a site’s own records to the name of the site.',
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
  'site.title': 'DNS records',
  'site.help': 'How visitors’ DNS finds this site. Sites of a group usually share one record.',
  'site.own': 'This site’s own records',
  'site.own.help':
    'Written to the operator’s DNS instead of the record that the group shares. Resetting to the defaults removes them.',
  'site.line': 'Line',
  'site.line.default': 'Default (all visitors)',
  'site.ttl': 'Time to live (TTL)',
  'site.ttl.help':
    'How long resolvers keep an answer, 30 to 3600 seconds. A shorter time makes changes take effect sooner.',
  'site.seconds': 'seconds',
  'site.plan': 'Show the plan',
  'site.plan.none': 'Nothing would change.',
  'site.plan.some': 'Records that a save changes: {n}',
  'site.records': 'Records now',
  'site.noName': 'The operator has no DNS zone for the edge yet.',
  'site.shared': 'This site has no records of its own; it uses the group’s.',
  'site.state.waiting': 'Waiting',
  'site.state.written': 'Written',
  'site.state.failed': 'Not written',
  unprocessed: 'Records not written: {n}',
  'unprocessed.again': 'Write again',
  'unprocessed.again.done': 'They are being written again',
} satisfies Phrases<typeof source>
