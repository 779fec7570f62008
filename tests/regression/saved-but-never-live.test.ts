/**
 * The promise that broke: what nginx accepted is live. A response without refusals was read as a failure, because Lua
 * has no empty list.
 */
import { ApplyReply } from '@breakwater/contract/edge/node-disk.ts'
import { expect, test } from 'vitest'

test('a response of nginx without refusals means that none was refused', () => {
  expect(ApplyReply.parse({})).toEqual({ refused: [] })
})
