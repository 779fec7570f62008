/**
 * Every environment variable that Breakwater reads, with its default. Generates docs/variables.md:
 *
 *   node script/variables.ts     writes the page; a test compares it, and finds variables that are read but undeclared
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Who reads it: script/server and the control plane; a node's agent; the node installer; scripts; tests. */
type Reader = 'control plane' | 'node' | 'node installer' | 'scripts' | 'tests'
export type Variable = { name: string; of: Reader[]; default: string; what: string }

const v = (name: string, of: Reader[], fallback: string, what: string): Variable => ({
  name,
  of,
  default: fallback,
  what,
})

export const variables: Variable[] = [
  v('BREAKWATER_DATA', ['control plane', 'scripts'], '`./data`', 'the folder of all state'),
  v('PORT', ['control plane'], '8080', 'console and API'),
  v('BREAKWATER_LISTEN', ['control plane'], '`127.0.0.1`', 'the address on which console and API listen'),
  v(
    'BREAKWATER_PUBLIC_URL',
    ['control plane'],
    '`http://localhost:PORT`',
    'where people open the console; with https, and no `BREAKWATER_TRUSTED_PROXIES`, the console serves it by itself',
  ),
  v('CONSOLE_HTTPS_PORT', ['control plane'], 'of the address: 443', 'the console’s own TLS'),
  v(
    'CONSOLE_HTTP_PORT',
    ['control plane'],
    '80',
    'beside it: challenges of certificate authorities, everything else is sent on to https',
  ),
  v('BREAKWATER_TLS_CERTIFICATE', ['control plane'], 'ordered', 'a file with the console’s certificate, in PEM'),
  v('BREAKWATER_TLS_KEY', ['control plane'], 'made', 'a file with its key, in PEM'),
  v(
    'BREAKWATER_TRUSTED_PROXIES',
    ['control plane', 'node', 'node installer'],
    'none',
    'networks of proxies whose `X-Forwarded-*` is believed: in front of the console; on a node of its own machine, in front of the edge',
  ),
  v('EDGE_TRUSTED_PROXIES', ['control plane'], 'none', 'the same in front of the edge on this machine'),
  v('NODE_PORT', ['control plane'], '8442', 'nodes, mutual TLS'),
  v(
    'BREAKWATER_SERVER_NAMES',
    ['control plane'],
    'none',
    'further names and addresses at which nodes reach `NODE_PORT`',
  ),
  v('EDGE_HTTP_PORT', ['control plane', 'node', 'node installer'], '80, else 8081', 'the edge'),
  v('EDGE_HTTPS_PORT', ['control plane', 'node', 'node installer'], '443, else 8443', 'the edge with TLS'),
  v('BREAKWATER_EDGE_DOMAIN', ['control plane'], 'asked for', 'the DNS zone into which customers’ CNAMEs point'),
  v('DATABASE_URL', ['control plane', 'scripts'], 'embedded', 'your own PostgreSQL, 15 or later'),
  v(
    'DATABASE_TENANT_URL',
    ['control plane', 'scripts'],
    'made at the start',
    'the login of callers’ transactions, where the user of `DATABASE_URL` may not make one',
  ),
  v(
    'BREAKWATER_MASTER_KEY_FILE',
    ['control plane', 'scripts'],
    '`data/keys/master.key`',
    'the master key, kept elsewhere',
  ),
  v('CREDENTIALS_DIRECTORY', ['control plane', 'scripts'], 'set by systemd', 'may hold `breakwater-master.key`'),
  v('BREAKWATER_ANSWER_FD', ['control plane'], 'set by the supervisor', 'where one-shot commands answer with secrets'),
  v('CLICKHOUSE_URL', ['control plane', 'scripts'], 'embedded', 'your own ClickHouse'),
  v(
    'BREAKWATER_CLICKHOUSE_MEMORY_BYTES',
    ['control plane'],
    'a third of the memory, 1 to 8 GiB',
    'what the embedded ClickHouse may hold in memory, 512 MiB at least',
  ),
  v('BREAKWATER_FIRST_PASSWORD', ['control plane'], 'random', 'the first accounts get it and need not change it'),
  v('BREAKWATER_ALLOW_ORIGINS', ['control plane'], 'none', 'private networks in which origins may stand'),
  v(
    'BREAKWATER_ACME_HTTP_PORT',
    ['control plane'],
    '80',
    'where we look for the edge before a certificate is ordered; authorities always ask port 80',
  ),
  v('BREAKWATER_DNS_SERVERS', ['control plane'], 'the machine’s', 'resolvers that are asked about customers’ domains'),
  v(
    'BREAKWATER_WAF_DEFAULT',
    ['control plane'],
    'kept',
    '`installed`: the default rule set of the WAF is what Debian’s package has now, not what it had at the first start',
  ),
  v('BREAKWATER_DRAIN_SECONDS', ['control plane'], '30', 'how long a stop waits for what is under way'),
  v('BREAKWATER_LOG_LEVEL', ['control plane', 'node'], '`info`', '`debug`, `info`, `warn`, `error`'),
  v('BREAKWATER_ADMIN_CONSOLE', ['control plane'], 'on', '`off`: the vendor’s console is not served'),
  v('BREAKWATER_ACCOUNTING_TIME_ZONE', ['control plane'], '`Asia/Taipei`', 'where the months of accounts begin'),
  v('BREAKWATER_LICENSE_KEYS', ['control plane'], 'none', 'public keys of vendors whose licences count (base64)'),
  v('BREAKWATER_LICENSE_SERVER', ['control plane'], 'none', 'where *Check now* asks about an online licence'),
  v('BREAKWATER_TELEGRAM_API', ['control plane'], '`https://api.telegram.org`', 'where the Telegram bot is asked'),
  v('BREAKWATER_DEMO', ['control plane'], 'set by `--demo`', '`1`: the demo’s origin may be reached'),
  v('BREAKWATER_BACKUP_PASSPHRASE', ['scripts'], '', 'encrypts a backup; 12 characters or more'),
  v('BREAKWATER_BACKUP_PASSPHRASE_FILE', ['scripts'], '', 'a file that holds it'),
  v(
    'BREAKWATER_ALLOW_UNPATCHED',
    ['scripts', 'node installer'],
    'no',
    '`yes`: start although nginx or OpenSSL lacks security fixes',
  ),
  v('BREAKWATER_DEBIAN_ARCHIVE', ['scripts'], 'none', 'a Debian mirror, asked by `script/security-versions`'),
  v('BREAKWATER_NODE_DATA', ['node', 'node installer'], '`/var/lib/breakwater-node`', 'all of a node’s own data'),
  v(
    'BREAKWATER_NODE_NAME',
    ['node', 'node installer'],
    'the host name',
    'the node’s name until the operator gives one',
  ),
  v('BREAKWATER_NODE_USER', ['node', 'node installer'], '`www-data`', 'the user of nginx’s workers'),
  v(
    'BREAKWATER_NODE_ADDRESSES',
    ['node', 'node installer'],
    'none',
    'public addresses of the node beside those of its interfaces: closed as origins',
  ),
  v('BREAKWATER_METRICS_PORT', ['node'], 'off', 'where the agent answers `/metrics`, on this machine only'),
  v('BREAKWATER_CACHE_BYTES', ['node', 'node installer'], 'a fifth of the disk, at most 10 GB', 'size of the cache'),
  v('BREAKWATER_SPOOL_BYTES', ['node', 'node installer'], '2 GB', 'events kept while the control plane is away'),
  v(
    'BREAKWATER_KERNEL_BANS',
    ['node', 'node installer'],
    'yes',
    '`no`: the packet filter of the kernel is left alone; nginx refuses banned addresses',
  ),
  v('BREAKWATER_SPOOL_SEGMENT_BYTES', ['node'], '64 MB', 'size at which a file of events is closed'),
  v('BREAKWATER_NGINX', ['node'], '`/usr/sbin/nginx`', 'the nginx that runs'),
  v('BREAKWATER_NGINX_MODULES', ['node'], '`/usr/lib/nginx/modules`', 'its modules'),
  v('BREAKWATER_SERVER', ['node'], 'by the installer', 'the control plane’s `https://host:NODE_PORT`'),
  v('BREAKWATER_SERVER_CA', ['node'], 'by the installer', 'the file of the authority that is trusted for it'),
  v('BREAKWATER_ENROL_TOKEN', ['node'], '', 'the token with which a machine joins, once'),
  v('BREAKWATER_ENROL_TOKEN_FILE', ['node'], 'by the installer', 'a file that holds it'),
  v('BREAKWATER_NODE_PREFIX', ['node installer'], '`/opt/breakwater-node`', 'where the program goes'),
  v('BREAKWATER_NODE_CONFIG', ['node installer'], '`/etc/breakwater-node`', 'where the settings go'),
  v('BREAKWATER_NODE_BUNDLE', ['node installer'], 'fetched', 'a bundle that was carried there by hand'),
  v(
    'BREAKWATER_NODE_SERVICE',
    ['node installer'],
    '`breakwater-node`',
    'the name of the services; `none`: none are made',
  ),
  v('NODE_COMPILE_CACHE', ['control plane'], '`<data>/cache`', 'where Node keeps compiled code'),
  v('BREAKWATER_TESTS', ['tests'], 'the short ones', '`all`: the long tests as well; `script/test --all` sets it'),
  v('BREAKWATER_FAILPOINT', ['tests'], '', 'a file that names the point at which a process dies'),
]

const groups: [string, (variable: Variable) => boolean][] = [
  ['Control plane (`script/server`)', ({ of }) => of[0] === 'control plane'],
  ['Nodes (`/etc/breakwater-node/node.env`)', ({ of }) => of.includes('node')],
  ['Node installer (`… | sudo NAME=value bash`)', ({ of }) => of.includes('node installer')],
  ['Scripts', ({ of }) => of[0] === 'scripts'],
  ['Tests', ({ of }) => of.includes('tests')],
]

/** The text of docs/variables.md. */
export function variablesPage(): string {
  const tables = groups.map(([title, isIn]) => {
    const rows = variables
      .filter(isIn)
      .map(({ name, default: fallback, what }) => `| \`${name}\` | ${fallback} | ${what} |`)
    return `## ${title}\n\n| variable | default | |\n|---|---|---|\n${rows.join('\n')}\n`
  })
  const head = '# Variables\n\nMade by `node script/variables.ts`. Lists are separated by commas or spaces.\n'
  return [head, ...tables].join('\n')
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(join(import.meta.dirname, '../docs/variables.md'), variablesPage())
