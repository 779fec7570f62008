import type { Phrases } from '../../platform/phrases.ts'
import type { phrases as source } from './zh_TW.ts'

export const phrases = {
  title: 'DNS provider',
  help: 'Where the DNS zone of your edge is written. Needed to verify automatic certificates over DNS, and for a site’s own DNS records.',
  provider: 'Name server',
  'provider.help':
    'With it, wildcards and domains that do not point to us yet also get automatic certificates. Customers add one CNAME, once.',
  type: 'Type',
  'type.none': 'None',
  'type.rfc2136': 'Dynamic updates (RFC 2136)',
  zone: 'Zone',
  'zone.help': 'Validation records go below the name acme of this zone, a site’s own records below the site’s name.',
  server: 'Server',
  'server.help':
    'The primary name server that accepts updates over TCP, such as BIND, Knot or PowerDNS. Add the port if it is not 53.',
  key: 'TSIG key name',
  secret: 'TSIG secret',
  'secret.help': 'HMAC-SHA256, in base64. Stored encrypted; nobody can read it again.',
  'secret.kept': 'Saved; leave empty to keep it.',
  test: 'Test',
  tested: 'Connection Success!',
  saved: 'SET SUCCESS',
  remove: 'The setting and its key are deleted. Certificates of domains verified over DNS can no longer be renewed.',
  'site.title': 'DNS records',
  'site.help': 'How visitors find this site by DNS. Sites of a group usually share one record.',
  'site.own': 'This site’s own records',
  'site.own.help':
    'Written to the operator’s DNS instead of the group’s shared record. Resetting to the defaults removes them.',
  'site.line': 'DNS line',
  'site.line.default': 'Default (all visitors)',
  'site.ttl': 'Time to live (TTL)',
  'site.ttl.help':
    'How long resolvers cache an answer, 30 to 3600 seconds. Shorter times make changes take effect sooner.',
  'site.seconds': 'seconds',
  'site.plan': 'Preview changes',
  'site.plan.none': 'No changes.',
  'site.plan.some': 'Saving changes {n} record:|Saving changes {n} records:',
  'site.records': 'Current records',
  'site.noName': 'The operator has no DNS zone for the edge yet.',
  'site.shared': 'This site has no records of its own; it uses the group’s.',
  'site.state.waiting': 'Waiting',
  'site.state.written': 'Written',
  'site.state.failed': 'Not written',
  unprocessed: 'Records not written: {n}',
  'unprocessed.again': 'Write again',
  'unprocessed.again.done': 'Writing them again',
} satisfies Phrases<typeof source>
