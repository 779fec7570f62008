import { type networkInterfaces, tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { machineReader, parseMemory, parseNetwork, parseStat, readAddresses } from './machine.ts'
import { readFacts } from './nginx-facts.ts'

test('the files of /proc are parsed', () => {
  expect(parseStat('cpu  10 1 5 100 20 0 4 0 0 0\ncpu0 1 1 1 1')).toEqual({ busy: 20, total: 140 })
  const table =
    'Inter-|\n face |\n    lo: 5 1 0 0 0 0 0 0 5 1\n  eth0: 100 1 0 0 0 0 0 0 40 1\n  eth1:7 1 0 0 0 0 0 0 2 1\n'
  expect(parseNetwork(table)).toEqual({ bytesIn: 107, bytesOut: 42 })
  expect(parseMemory('MemTotal:       1000 kB\nMemFree: 1 kB\nMemAvailable:    400 kB\n')).toEqual({
    total: 1_024_000,
    used: 614_400,
  })
})

test('this machine can be read, and rates start at 0', async () => {
  const machine = machineReader(tmpdir())()
  expect(machine.memoryBytes).toBeGreaterThan(machine.memoryUsedBytes)
  expect(machine.diskBytes).toBeGreaterThan(0)
  expect(machine.networkInBytesPerSecond).toBe(0)
})

test('nginx’s version and modules are parsed from `nginx -V`', () => {
  const said = 'nginx version: nginx/1.22.1\nconfigure arguments: --with-http_v2_module --with-stream=dynamic'
  expect(readFacts(said, ['ngx_http_lua_module.so'])).toEqual({
    version: '1.22.1',
    openssl: '',
    capabilities: ['lua', 'http2'],
  })
  expect(readFacts(`${said} --with-http_v3_module`, ['ngx_stream_module.so']).capabilities).toContain('http3')
})

test('addresses reachable from other machines are reported: no loopback or link-local ones, IPv4 first', () => {
  const address = (family: string, text: string, internal = false) => ({ family, address: text, internal })
  const interfaces = {
    lo: [address('IPv4', '127.0.0.1', true)],
    eth0: [address('IPv6', 'fe80::1'), address('IPv6', '2600::7'), address('IPv4', '10.0.0.5')],
    eth1: [address('IPv4', '169.254.1.1'), address('IPv4', '198.41.0.4')],
  } as unknown as ReturnType<typeof networkInterfaces>
  expect(readAddresses(interfaces)).toEqual(['10.0.0.5', '198.41.0.4', '2600::7'])
})
