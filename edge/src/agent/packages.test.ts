import { expect, test } from 'vitest'
import { readFacts } from './nginx-facts.ts'
import { packagesReader, readPackages } from './packages.ts'

test('only installed packages count, and the release is its code name', () => {
  const lines = 'installed nginx 1.22.1-9+deb12u9\nnot-installed libssl3t64 \ninstalled libssl3 3.0.19-1~deb12u2\n'
  expect(readPackages(lines, 'NAME="Debian"\nVERSION_CODENAME=bookworm\n')).toEqual({
    release: 'bookworm',
    versions: { nginx: '1.22.1-9+deb12u9', libssl3: '3.0.19-1~deb12u2' },
  })
})

test('this machine reports its packages, although not all of the names exist in its release', async () => {
  const packages = await packagesReader()()
  expect(Object.keys(packages?.versions ?? {}).join()).toMatch(/libssl3/)
})

test('the OpenSSL that nginx runs with is reported, not the one it was built with', () => {
  const both =
    'nginx version: nginx/1.22.1\nbuilt with OpenSSL 3.0.20 7 Apr 2026 (running with OpenSSL 3.0.19 27 Jan 2026)'
  expect(readFacts(both, []).openssl).toBe('3.0.19')
  expect(readFacts('built with OpenSSL 3.0.20 7 Apr 2026', []).openssl).toBe('3.0.20')
})
