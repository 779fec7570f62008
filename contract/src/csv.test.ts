import { expect, test } from 'vitest'
import { csvLine, readCsv } from './csv.ts'
import { domainCells, domainColumns, originOf, readDomains } from './domains/domain-csv.ts'

test('cells survive a round trip: formulas, quotes, line breaks and apostrophes too', () => {
  const lines = [
    ['plain', 'a,b', 'a "quoted" one', 'two\nlines', ''],
    ['=1+1', '+1', '-1', '@x', "'=x", "''+", "it's"],
  ]
  const text = lines.map(csvLine).join('')
  expect(text).toContain("'=1+1,'+1,'-1,'@x,''=x,'''+,it's")
  expect(readCsv(`\uFEFF${text}`)).toEqual(lines)
})

test('pasted text is read: without a header line, with other line breaks, with empty lines', () => {
  expect(readCsv('a\n\nb,"c')).toEqual([['a'], ['b', '"c']])
  expect(readDomains('a.example.com\r\nb.example.com, 192.0.2.1:8080 \n\n')).toEqual([
    { name: 'a.example.com', upstreams: [] },
    { name: 'b.example.com', upstreams: [{ ip: '192.0.2.1', port: 8080, tls: false }] },
  ])
})

test.each([
  ['192.0.2.1', { ip: '192.0.2.1', port: 80, tls: false }],
  ['origin.example.com:443', { ip: 'origin.example.com', port: 443, tls: true }],
  ['https://origin.example.com/', { ip: 'origin.example.com', port: 443, tls: true }],
  ['http://[2001:db8::1]:8080', { ip: '2001:db8::1', port: 8080, tls: false }],
  ['2001:db8::1', { ip: '2001:db8::1', port: 80, tls: false }],
])('%s is an origin', (text, origin) => {
  expect(originOf(text)).toEqual(origin)
})

test('a port map that lists a port twice, or has more than a pair, yields NaN for it', () => {
  const read = (cell: string) => readDomains(`name,ports\na.example.com,${cell}`)[0]?.portMap
  expect(read('80:8080 443:8443')).toEqual({ 80: 8080, 443: 8443 })
  expect(read('80:8080 80:9090')).toEqual({ 80: Number.NaN })
  expect(read('80:8080:1')).toEqual({ 80: Number.NaN })
})

const unbound = { cors: 0, customHeader: 0, urlRedirect: 0, proxyRewrite: 0, tokenAuth: 0, waf: 0, luaAcl: 0 }

test('a domain survives export and import unchanged', () => {
  const domain = {
    ...{ id: 7, name: '*.xn--bcher-kva.example', status: 0, createdAt: '', updatedAt: '', checkedAt: null },
    ...{ tags: ['a|b', '=danger', 'c\\d', 'two words'], cnameStatuses: [0], forceSSL: false, scheme: 2, balance: 5 },
    ...{ portMap: { 8443: 443 }, autoSSL: false, cname: 's1.g1.edge', modules: unbound },
    ownership: { state: 'pending' as const, recordName: '', recordValue: '', filePath: '' },
    upstreams: [
      { id: 1, ip: '2001:db8::5', port: 8443, weight: 3, backup: false, enabled: true, tls: true, memo: 'left; "x"' },
      { id: 2, ip: 'o.example.com', port: 80, weight: 1, backup: true, enabled: false, tls: false, memo: '' },
    ],
  }
  const text = csvLine(domainColumns) + csvLine(domainCells(domain))
  const [read] = readDomains(text)
  expect(read).toEqual({
    ...{ name: domain.name, status: 0, scheme: 2, balance: 5, tags: domain.tags, portMap: domain.portMap },
    upstreams: [
      { ip: '2001:db8::5', port: 8443, tls: true, weight: 3, memo: 'left; "x"' },
      { ip: 'o.example.com', port: 80, tls: false, backup: true, enabled: false },
    ],
  })
})
