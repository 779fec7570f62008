import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import { expect, test } from 'vitest'
import { publicAddressesOf } from './public-addresses.ts'

const guess = (ip: string, addresses: string[], publicAddresses: string[] = []) =>
  publicAddressesOf({ publicAddresses, ip, health: { addresses } as NodeHealth })

test('the guess is the interfaces’ public addresses, of both families', () => {
  expect(guess('10.0.0.5', ['10.0.0.5', '198.41.0.4', '2600::7'])).toEqual({
    ...{ set: [], used: ['198.41.0.4', '2600::7'], private: false },
  })
})

test('behind NAT it is the address that the control plane sees', () => {
  expect(guess('198.41.0.4', ['10.0.0.5'])).toMatchObject({ used: ['198.41.0.4'], private: false })
})

test('a machine with only private addresses is marked as private', () => {
  expect(guess('10.0.0.9', ['10.0.0.5'])).toMatchObject({ used: ['10.0.0.9'], private: true })
  expect(guess('127.0.0.1', ['192.168.1.7'])).toMatchObject({ used: ['192.168.1.7'], private: true })
  expect(guess('127.0.0.1', [])).toMatchObject({ used: ['127.0.0.1'], private: true })
  expect(publicAddressesOf({ publicAddresses: [], ip: '', health: null })).toMatchObject({ used: [], private: true })
})

test('addresses set by the operator replace the guess', () => {
  expect(guess('198.41.0.4', ['198.41.0.5'], ['198.41.0.9'])).toEqual({
    ...{ set: ['198.41.0.9'], used: ['198.41.0.9'], private: false },
  })
})
