/** Configurations of other programs become sites, and each line that cannot be imported is noted. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ImportDraft, ImportKind, ImportNote } from '@breakwater/contract/import/site-import.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSource } from './read-source.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-test-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'testing', name), 'utf8')
let files = 0
function write(bytes: string | Buffer): string {
  const path = join(folder, String(files++))
  writeFileSync(path, bytes)
  return path
}
const read = (kind: ImportKind, file: string | Buffer, rules?: string) =>
  readSource({ kind, file: write(file), rules: rules === undefined ? undefined : write(rules) })
function draft(kind: ImportKind, file: string | Buffer, rules?: string): ImportDraft {
  const found = read(kind, file, rules)
  if ('unreadable' in found) throw new Error(`${found.unreadable} is unreadable`)
  return found
}
const told = (notes: ImportNote[]) => notes.map(({ line, reason }) => `${line} ${reason}`)
const nginx = (text: string) => draft('nginx', text)
const server = (inside: string) => `server { server_name a.example.com; ${inside} }`
const upstream = (ip: string, port: number, more: object = {}) => ({
  ...{ ip, port, weight: 1, backup: false, enabled: true, tls: false, memo: '' },
  ...more,
})

describe('nginx', () => {
  test('sites from certbot: origins, forced HTTPS, redirects, settings, and what is left out with its line', () => {
    const { sites, notes } = nginx(fixture('certbot.conf'))
    expect(sites.map(({ site }) => site.siteName)).toEqual(['example.com', 'files.example.com'])
    const { site, notes: left } = sites[0]!
    const origins = [
      upstream('203.0.113.10', 8080, { weight: 3 }),
      upstream('203.0.113.11', 8080),
      upstream('203.0.113.12', 8080, { backup: true }),
    ]
    expect(site.domains).toMatchObject([
      { name: 'example.com', upstreams: origins, balance: 3, status: 1, forceSSL: true },
      { name: 'www.example.com', upstreams: origins, forceSSL: true },
      { name: 'example.org', upstreams: origins, forceSSL: false },
    ])
    expect(site).toMatchObject({
      basic: { maxBodySize: 50 * 1024 * 1024, timeout: 300 },
      originTimeouts: { connect: 10, firstByte: 300, idle: 300, websocketIdle: 600 },
      compression: {
        enable: true,
        types: ['text/html', 'text/css', 'application/javascript'],
        minLength: 256,
        level: 6,
      },
      tls: { profile: 'modern', hstsSeconds: 31_536_000, hstsSubdomains: true },
      cacheRules: [{ type: 'extension', values: ['css', 'js', 'jpg', 'jpeg'], ttl: 2_592_000 }],
      allowRules: [{ urlRegex: '^/admin/', ips: ['198.51.100.0/24'] }],
      denyRules: [{ urlRegex: '^/admin/', ips: ['0.0.0.0/0', '::/0'] }, { urlRegex: '/\\.ht' }],
      proxyRewrites: [{ items: [{ urlRegex: '^/api/v1/(.*)$', target: '/v1/$1' }] }],
    })
    expect(site.urlRedirects).toMatchObject([
      {
        domains: ['example.com', 'www.example.com'],
        items: [
          { urlRegex: '^/p/(\\d+)$', target: '/product/$1', statusCode: 301, priority: 1 },
          { urlRegex: '^/old\\.html$', target: '/new.html', statusCode: 301, keepQuery: false },
          { urlRegex: '^/blog/', target: 'https://blog.example.net$path', statusCode: 302, keepQuery: true },
        ],
      },
      { domains: ['example.org'], items: [{ urlRegex: '^/', target: 'https://example.com$path' }] },
    ])
    expect(site.customHeaders[0]!.items).toMatchObject([
      { type: 'response', key: 'X-Frame-Options', value: 'SAMEORIGIN' },
      { type: 'request', key: 'X-Tenant', value: 'shop; main' },
    ])
    expect(told(left)).toEqual([
      ...[
        '28 variable',
        '32 byEdge',
        '33 byEdge',
        '34 byEdge',
        '42 changed',
        '43 byEdge',
        '48 changed',
        '49 basicAuth',
      ],
      ...[
        '50 basicAuth',
        '54 otherOrigin',
        '56 regex',
        '57 condition',
        '62 certificate',
        '63 certificate',
        '64 byEdge',
      ],
    ])
    expect(left[0]!.text).toBe('add_header X-Served-By $hostname;')
    // A static site has no origin: it is imported disabled, with a note.
    expect(sites[1]!.site.domains).toMatchObject([{ name: 'files.example.com', upstreams: [], status: 0 }])
    expect(told(sites[1]!.notes)).toEqual(['85 port', '86 serverName', '86 origin', '87 localFiles', '88 rateLimit'])
    expect(told(notes)).toEqual(['7 byEdge', '10 map'])
  })

  test('a complete configuration from `nginx -T`: includes are read, and settings are inherited', () => {
    const { sites, notes } = nginx(fixture('dump.conf'))
    expect(sites.map(({ site }) => site)).toMatchObject([
      {
        siteName: 'app.example.net',
        domains: [
          { name: 'app.example.net', upstreams: [upstream('origin.example.net', 443, { tls: true })], forceSSL: true },
        ],
        basic: { maxBodySize: 8 * 1024 * 1024 },
        originTimeouts: { firstByte: 90 },
        proxyRewrites: [{ items: [{ urlRegex: '^/(.*)$', target: '/base/$1' }] }],
      },
    ])
    expect(notes.filter(({ reason }) => reason !== 'byEdge').map(({ reason }) => reason)).toEqual(['layer4'])
  })

  test.each([
    ['an include that is not in the text', server('include sites/*.conf;'), 'include'],
    ['a value that is computed', server('location / { proxy_pass http://$backend; }'), 'variable'],
    ['a socket of the machine', server('location / { proxy_pass http://unix:/run/app.sock; }'), 'origin'],
    [
      'a name for the origin that visitors do not use',
      server('location / { proxy_pass https://o.example.net; }'),
      'hostHeader',
    ],
    ['a fixed Host', server('proxy_set_header Host o.example.net;'), 'hostHeader'],
    ['a program', server('location / { fastcgi_pass 127.0.0.1:9000; }'), 'localFiles'],
    ['a fixed answer', server('location /ping { return 200 pong; }'), 'answer'],
    ['a regular expression that ignores case', server('location ~* ^/OLD { return 301 /new; }'), 'regex'],
    ['an expression that could explode', server('rewrite ^/(a+)+$ /b permanent;'), 'regex'],
    ['a header that the edge keeps', server('add_header Via x;'), 'header'],
    ['a setting of one path', server('location /up { client_max_body_size 1g; }'), 'location'],
    [
      'an order of access that means something else here',
      server('deny 203.0.113.1; allow 203.0.113.0/24; deny all;'),
      'access',
    ],
    ['another port', server('listen 8443 ssl;'), 'port'],
    ['a time beyond what is taken', server('proxy_read_timeout 1d;'), 'changed'],
    ['a size that is none', server('client_max_body_size lots;'), 'value'],
    ['a directive that nobody knows', server('frobnicate on;'), 'unknown'],
    ['a variable of a map in a redirect', server('return 301 https://$target$request_uri;'), 'variable'],
    ['a name that is no domain', 'server { server_name 203.0.113.4; }', 'serverName'],
  ])('%s is noted', (_, text, reason) => {
    const { sites, notes } = nginx(text)
    expect([...notes, ...sites.flatMap((site) => site.notes)].map((note) => note.reason)).toContain(reason)
  })

  test('servers that share a name become one site; the TLS server’s origin wins for that name', () => {
    const { sites } = nginx(
      'server { server_name a.example.com b.example.com; location / { proxy_pass http://203.0.113.1; } }' +
        'server { listen 443 ssl; server_name b.example.com; location / { proxy_pass http://203.0.113.2; } }',
    )
    // Servers that share a name are one site; visitors see what is served over TLS.
    expect(sites.map(({ site }) => site.domains.map(({ name, upstreams }) => [name, upstreams[0]!.ip]))).toEqual([
      [
        ['a.example.com', '203.0.113.1'],
        ['b.example.com', '203.0.113.2'],
      ],
    ])
  })

  test('a leading dot means the name and all below it; a redirecting name gets its target as origin', () => {
    const { sites } = nginx('server { server_name .example.com; return 301 https://new.example.net$request_uri; }')
    expect(sites[0]!.site.domains).toMatchObject([
      { name: 'example.com', upstreams: [upstream('new.example.net', 443, { tls: true })], status: 1 },
      { name: '*.example.com' },
    ])
    expect(sites[0]!.notes.map(({ reason }) => reason)).toContain('redirectOrigin')
  })

  test.each([
    ['a quote that does not end', 'server {\n  server_name "a.example.com;\n}', 2],
    ['a brace that does not end', 'server {\n server_name a.example.com;\n', 3],
    ['a brace too many', 'server { }\n}\n', 2],
    ['a directive without an end', 'server {\n listen 80\n}\n', 3],
    ['braces without end', `${'a {'.repeat(1000)}`, 1],
    [
      'a file that includes itself',
      '# configuration file /a.conf:\nx;\ninclude /a.conf; include /a.conf; include /a.conf; include /a.conf; include /a.conf;\n',
      undefined,
    ],
  ])('%s is reported with its line', (_, text, line) => {
    const { sites, notes } = nginx(text)
    expect(sites).toEqual([])
    if (line !== undefined) expect(notes).toMatchObject([{ line, reason: 'syntax' }])
  })

  test('ten megabytes are read; notes and domains are truncated', () => {
    const one = (n: number) =>
      `server { server_name s${n}.example.com; frob x; location / { proxy_pass http://203.0.113.1; } }\n`
    const servers = Array.from({ length: 6000 }, (_, n) => one(n))
    const text = `${servers.join('')}# ${'x'.repeat(9_500_000)}\n`
    const { sites, notesCut } = nginx(text)
    expect(sites.flatMap(({ site }) => site.domains)).toHaveLength(5000)
    expect(notesCut).toBeGreaterThan(0)
  })

  test('embedded code, comments and quotes are handled', () => {
    const text = `server { server_name a.example.com; # } comment {
      content_by_lua_block { if x then ngx.say("}{") end local t = { 1 } }
      add_header X-Quoted 'a "b" \\'c\\' ; { }';
      add_header X-Brace "\${host}"; }`
    const { sites } = nginx(text)
    expect(sites[0]!.site.customHeaders[0]!.items).toMatchObject([{ key: 'X-Quoted', value: `a "b" 'c' ; { }` }])
  })
})

describe('Cloudflare', () => {
  const zone = fixture('example.com.zone')

  test('proxied records become one site; aliases within the zone resolve to their addresses', () => {
    const { sites } = draft('cloudflare', zone)
    const { site, notes } = sites[0]!
    expect(site.siteName).toBe('example.com')
    expect(site.domains.map(({ name, upstreams }) => [name, ...upstreams.map(({ ip }) => ip)])).toEqual([
      ['example.com', '203.0.113.10', '2001:db8::10'],
      ['shop.example.com', '203.0.113.20', '203.0.113.21'],
      ['www.example.com', '203.0.113.10', '2001:db8::10'],
      ['docs.example.com', 'hosting.example.net'],
      ['*.example.com', '203.0.113.10', '2001:db8::10'],
    ])
    expect(told(notes)).toEqual([
      '8 byEdge',
      '11 byEdge',
      '17 notProxied',
      '28 recordType',
      '31 recordType',
      '32 recordType',
    ])
  })

  test('its rules become redirects, forced HTTPS and cache rules of the hosts they name', () => {
    const { sites, notes } = draft('cloudflare', zone, fixture('page-rules.json'))
    const { site } = sites[0]!
    expect(site.urlRedirects).toMatchObject([
      {
        domains: ['example.com', 'shop.example.com', 'docs.example.com', '*.example.com'],
        items: [{ urlRegex: '^/old/(.*)$', target: 'https://example.com/new/$1' }],
      },
      {
        domains: ['www.example.com'],
        items: [{ urlRegex: '^/old/(.*)$' }, { urlRegex: '^/', target: 'https://example.com$path', keepQuery: true }],
      },
    ])
    expect(site.domains.filter(({ forceSSL }) => forceSSL).map(({ name }) => name)).toEqual(['example.com'])
    expect(site.cacheRules).toMatchObject([{ type: 'path', values: ['/static/'], ttl: 86_400 }])
    expect(sites[0]!.notes.map(({ reason }) => reason)).toContain('changed')
    expect(told(notes)).toEqual(['4 rule', '6 rule'])
  })

  test.each([
    ['a quote that does not end', 'example.com. 1 IN TXT "abc\nwww.example.com. 1 IN A 203.0.113.1\n', 1],
    ['a parenthesis that does not end', 'example.com. 1 IN SOA a. b. (\n1 2 3\n', 1],
    ['a line that is no record', 'example.com. 1 IN A 203.0.113.1\nhello world\n', 2],
  ])('%s is reported with its line', (_, text, line) => {
    expect(draft('cloudflare', text)).toMatchObject({ sites: [], notes: [{ line, reason: 'syntax' }] })
  })

  test('relative names and an origin directive are read as specified; rules that are not JSON are reported', () => {
    const { sites } = draft(
      'cloudflare',
      '$ORIGIN example.com.\n$TTL 300\n@ IN A 203.0.113.1\n  IN AAAA 2001:db8::1\nwww 1h CNAME @\n',
    )
    expect(sites[0]!.site.domains.map(({ name, upstreams }) => [name, upstreams.length])).toEqual([
      ['example.com', 2],
      ['www.example.com', 2],
    ])
    expect(draft('cloudflare', zone, '{"result": [').notes).toMatchObject([{ reason: 'syntax' }])
  })
})

describe('Nginx Proxy Manager', () => {
  function database(fill: (db: DatabaseSync) => void): Buffer {
    const path = join(folder, `db${files++}`)
    const db = new DatabaseSync(path)
    db.exec(`create table proxy_host (id integer primary key, is_deleted integer default 0, domain_names text, forward_host text,
      forward_port integer, forward_scheme text, access_list_id integer default 0, certificate_id integer default 0,
      ssl_forced integer default 0, caching_enabled integer default 0, block_exploits integer default 0,
      advanced_config text default '', enabled integer default 1, locations text, hsts_enabled integer default 0,
      hsts_subdomains integer default 0);
      create table redirection_host (id integer primary key, is_deleted integer default 0, domain_names text,
      forward_domain_name text, forward_scheme text, forward_http_code integer, preserve_path integer, ssl_forced integer,
      certificate_id integer, enabled integer default 1);
      create table certificate (id integer primary key, is_deleted integer default 0, nice_name text, meta text);
      create table stream (id integer primary key, is_deleted integer default 0, incoming_port integer, forwarding_host text)`)
    fill(db)
    db.close()
    return readFileSync(path)
  }

  test('hosts and redirections become sites; certificates are noted, keys are not read', () => {
    const bytes = database((db) =>
      db.exec(`
        insert into proxy_host (domain_names, forward_host, forward_port, forward_scheme, certificate_id, ssl_forced, hsts_enabled,
          caching_enabled, access_list_id, advanced_config, locations) values
          ('["app.example.com","www.app.example.com"]', '203.0.113.7', 8096, 'http', 1, 1, 1, 1, 2,
           'client_max_body_size 2g; proxy_read_timeout 600s; frob on;', '[{"path":"/api"}]');
        insert into proxy_host (domain_names, forward_host, forward_port, forward_scheme, enabled) values
          ('["off.example.com"]', 'jellyfin', 80, 'https', 0);
        insert into proxy_host (domain_names, is_deleted, forward_host, forward_port) values ('["gone.example.com"]', 1, 'x', 80);
        insert into redirection_host (domain_names, forward_domain_name, forward_scheme, forward_http_code, preserve_path) values
          ('["old.example.com"]', 'app.example.com', 'https', 308, 1);
        insert into certificate (nice_name, meta) values ('app.example.com', '{"certificate_key":"SECRET"}');
        insert into stream (incoming_port, forwarding_host) values (25565, '203.0.113.8')`),
    )
    const { sites, notes } = draft('nginxProxyManager', bytes)
    expect(sites.map(({ site }) => site)).toMatchObject([
      {
        siteName: 'app.example.com',
        domains: [
          { name: 'app.example.com', upstreams: [upstream('203.0.113.7', 8096)], forceSSL: true },
          { name: 'www.app.example.com', forceSSL: true },
          { name: 'old.example.com', upstreams: [upstream('203.0.113.7', 8096)] },
        ],
        basic: { maxBodySize: 2 * 1024 ** 3 },
        originTimeouts: { firstByte: 600 },
        tls: { hstsSeconds: 63_072_000 },
        urlRedirects: [
          { domains: ['old.example.com'], items: [{ statusCode: 308, target: 'https://app.example.com$path' }] },
        ],
      },
      { siteName: 'off.example.com', domains: [{ status: 0, upstreams: [upstream('jellyfin', 80, { tls: true })] }] },
    ])
    expect(sites[0]!.notes.map(({ reason }) => reason).sort()).toEqual([
      'basicAuth',
      'certificate',
      'otherOrigin',
      'unknown',
    ])
    expect(notes.map(({ reason }) => reason).sort()).toEqual(['certificate', 'layer4'])
    expect(JSON.stringify([sites, notes])).not.toContain('SECRET')
  })

  test('a view in place of a table is the file author’s code, and is not run', () => {
    const bytes = database((db) =>
      db.exec(`drop table proxy_host; create view proxy_host as
        with recursive n(x) as (select 1 union all select x + 1 from n) select x as id from n`),
    )
    expect(draft('nginxProxyManager', bytes)).toMatchObject({ sites: [], notes: [{ reason: 'syntax' }] })
  })

  test('another database, a truncated one, and a file that is not a database are rejected', () => {
    const bytes = database(() => {})
    expect(draft('nginxProxyManager', bytes).sites).toEqual([])
    expect(draft('nginxProxyManager', bytes.subarray(0, 3000)).notes).toMatchObject([{ reason: 'syntax' }])
    expect(read('nginxProxyManager', 'server { }')).toEqual({ unreadable: 'file' })
  })
})

describe('a CSV table', () => {
  test('a column assigns domains to sites; invalid lines are noted', () => {
    const { sites } = draft(
      'csv',
      'site,name,origins\r\nShop,shop.example.com,https://203.0.113.1:8443 203.0.113.2\r\n\r\nShop,www.shop.example.com,203.0.113.1\r\nBlog,blog.example.com,\r\nBlog,not a name,203.0.113.9\r\n',
    )
    expect(sites.map(({ site }) => [site.siteName, site.domains.map(({ name }) => name)])).toEqual([
      ['Shop', ['shop.example.com', 'www.shop.example.com']],
      ['Blog', ['blog.example.com']],
    ])
    expect(sites[0]!.site.domains[0]!.upstreams).toEqual([
      upstream('203.0.113.1', 8443, { tls: true }),
      upstream('203.0.113.2', 80),
    ])
    expect(told(sites[1]!.notes)).toEqual(['5 origin', '6 serverName'])
  })

  test('without a site column all domains are one site', () => {
    const { sites } = draft('csv', 'a.example.com, 203.0.113.1\nb.example.com\n')
    expect(sites.map(({ site }) => [site.siteName, site.domains.length])).toEqual([['a.example.com', 2]])
  })
})

test('bytes that are not text are rejected, whatever the declared kind', () => {
  for (const kind of ['nginx', 'cloudflare', 'csv'] as const)
    expect(read(kind, Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff, 0xfe]))).toEqual({ unreadable: 'file' })
})
