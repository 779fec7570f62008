/** Custom header modules: named sets of headers that domains of several sites of one customer can share. */
import { z } from 'zod'
import { isReservedHeader } from '../edge/header-names.ts'
import { HeaderName, HeaderValue } from '../fields.ts'
import { HeaderSide } from '../header-side.ts'
import { moduleFamily } from './module-family.ts'

export const CustomHeader = z.strictObject({
  type: HeaderSide,
  key: HeaderName.refine((name) => !isReservedHeader(name), 'reservedHeader'),
  value: HeaderValue.default('').describe('Empty removes the header.'),
  enabled: z.boolean().default(true),
})

/** The most headers of one module. */
const headersMax = 100

export const customHeaders = moduleFamily('customHeaders', {
  one: 'customHeader',
  many: 'customHeaders',
  items: { one: 'header', many: 'headers' },
  item: CustomHeader,
  max: headersMax,
  noun: 'custom header module',
  itemNoun: 'header',
  uniqueKey: ({ type, key }) => `${type}:${key.toLowerCase()}`,
  twice: 'duplicateHeaderKeys',
})
