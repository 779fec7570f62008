/** Address data from the operator, instead of the release's: which country, and which network, addresses belong to. */
import { z } from 'zod'
import { addressDataKinds } from '../address-data/csv.ts'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { idMax, MomentText } from '../fields.ts'
import { Ids, pageOf } from '../paging.ts'

/** The most bytes of one file; a list of all networks has 24 MB. */
export const addressDataBytesMax = 67_108_864
/** The most that an operator may keep of each kind. */
export const addressDataMax = 10
/** How much the number of ranges may change, as a share of those in use. */
export const rangesChangeMax = 0.2
/** How many addresses are looked up in both, and how many of the results may change. */
export const probes = 100
export const probesChangeMax = 5

export const Kind = wordOf('AddressDataKind', 'What addresses are asked for.', [...addressDataKinds])

const ranges = { v4: z.number().int().describe('IPv4 ranges.'), v6: z.number().int().describe('IPv6 ranges.') }
const credit = z.string().describe('Whom its licence wants to be named.')

export const AddressData = z.object({
  id: z.number().int().describe('0 for what came with the release.'),
  kind: Kind,
  source: z.string().describe('Where it is from.'),
  credit,
  licence: z.string(),
  fileName: z.string().describe('Of what was uploaded; empty for the release’s.'),
  builtAt: MomentText.nullable().describe('When it was made, where the data says so.'),
  ...ranges,
  state: wordOf('AddressDataState', 'What it is to the nodes.', ['inUse', 'before', 'kept']).describe(
    '`before` was in use before the last change.',
  ),
  actor: z.string(),
  createdAt: MomentText.nullable(),
})
export type AddressData = z.output<typeof AddressData>

export const AddressDataProblem = z.object({
  file: z.string(),
  line: z.number().int().describe('0 where the file as a whole is meant.'),
  reason: z.string(),
})
export type AddressDataProblem = z.output<typeof AddressDataProblem>

export const AddressDataComparison = z.object({
  ranges: z.object(ranges),
  rangesInUse: z.object(ranges),
  asked: z.number().int().describe('Addresses that were asked of both, spread over the ranges in use.'),
  changed: z
    .array(z.object({ address: z.string(), before: z.string(), after: z.string() }))
    .describe('Those of them that have another country or network; empty where one has none.'),
  isOdd: z
    .boolean()
    .describe(
      `Whether the number of ranges differs by more than ${rangesChangeMax * 100} %, or more than ${probesChangeMax} of the addresses changed: it is taken only where that is confirmed.`,
    ),
})
export type AddressDataComparison = z.output<typeof AddressDataComparison>

const access = { tiers: ['client'], beyond: true } as const
const file = z.file('wrongFormat').max(addressDataBytesMax, 'fileTooLarge')
const said = (max: number) => z.string().trim().max(max, 'charactersExceedLimit').default('')

export const addressData = {
  list: endpoint('client.addressData.list', 'GET', '/client/addressData', {
    ...{ ...access, can: 'zones.read', reply: pageOf(AddressData), kind: 'list' },
    summary:
      'Lists the data of countries and networks of addresses: the release’s and what was uploaded, newest first.',
  }),
  add: endpoint('client.addressData.add', 'POST', '/client/addressData', {
    ...{ ...access, can: 'zones.write', form: { fileBytesMax: addressDataBytesMax } },
    body: z.strictObject({
      kind: Kind,
      file: file.describe(
        'An MMDB, or a CSV of first address, last address and country code, or number and name of the network. Also packed by gzip. 64 MiB at the most.',
      ),
      second: file.optional().describe('A second file, where IPv4 and IPv6 stand in two.'),
      source: said(100).describe('Where it is from; without it what the data says itself, or the name of the file.'),
      credit: said(200).describe('Whom its licence wants to be named.'),
      licence: said(200),
    }),
    reply: z.object({
      id: z.number().int().describe('0 where it was refused; nothing of it was kept then.'),
      problems: z.array(AddressDataProblem).describe('What is wrong with it, with its place.'),
    }),
    summary: 'Uploads data of countries or networks and checks it. It is kept, and in use only once it is chosen.',
  }),
  compare: endpoint('client.addressData.compare', 'GET', '/client/addressData/:dataId/comparison', {
    ...{ ...access, can: 'zones.read', reply: AddressDataComparison },
    summary: 'Compares uploaded data with what is in use: the number of ranges, and 100 addresses.',
  }),
  use: endpoint('client.addressData.use', 'PUT', '/client/addressData', {
    ...{ ...access, can: 'zones.write' },
    body: z.strictObject({
      kind: Kind,
      id: z.number().int('number').min(0, 'number').max(idMax, 'number').describe('0 for the release’s.'),
      isConfirmed: z
        .boolean()
        .default(false)
        .describe(
          'Whether it is taken although it differs much from what is in use. Not needed for the release’s, and for what was in use before.',
        ),
    }),
    summary: 'Chooses which data all nodes of the operator, its statistics and its logs use.',
  }),
  remove: endpoint('client.addressData.remove', 'DELETE', '/client/addressData', {
    ...{ ...access, can: 'zones.write', body: Ids },
    summary: 'Removes uploaded data. What is in use is refused.',
  }),
}
