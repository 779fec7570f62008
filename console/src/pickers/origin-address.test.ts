import { expect, test } from 'vitest'
import { formatOrigin, parseOrigin } from './origin-address.ts'

test.each([
  ['203.0.113.7', { ip: '203.0.113.7', port: 80, tls: false }],
  ['origin.example.com:8080', { ip: 'origin.example.com', port: 8080, tls: false }],
  ['https://origin.example.com', { ip: 'origin.example.com', port: 443, tls: true }],
  ['http://127.0.0.1:9000/', { ip: '127.0.0.1', port: 9000, tls: false }],
  ['[2001:db8::1]:443', { ip: '2001:db8::1', port: 443, tls: true }],
  ['2001:db8::1', { ip: '2001:db8::1', port: 80, tls: false }],
])('%s is parsed', (text, address) => {
  expect(parseOrigin(text)).toEqual(address)
  expect(parseOrigin(formatOrigin(address))).toEqual(address)
})

test.each(['', 'a b', 'ftp://host', 'host:99999', 'host/path'])('%j is not an origin', (text) => {
  expect(parseOrigin(text)).toBeUndefined()
})
