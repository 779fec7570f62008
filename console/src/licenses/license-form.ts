/** The form of a licence: limits are text, because an empty one means none; traffic is in GB. */

import { Name } from '@breakwater/contract/fields.ts'
import { InstallationId, licenseTypes } from '@breakwater/contract/licenses/document.ts'
import type { License, OfflineLicense } from '@breakwater/contract/licenses/licenses.ts'
import { z } from 'zod'

const bytesOfGb = 1e9
const Limit = z
  .string()
  .trim()
  .regex(/^\d{0,12}$/, 'number')

export const limitNames = ['nodes', 'zones', 'sites', 'domains', 'users', 'traffic'] as const

const Limits = { nodes: Limit, zones: Limit, sites: Limit, domains: Limit, users: Limit, traffic: Limit }

export const LicenseForm = z.object({
  userID: z.number('required').int().positive('required'),
  name: Name,
  type: z.enum(licenseTypes),
  expiredAt: z.string('required').min(1, 'required'),
  installation: z.union([z.literal(''), InstallationId]),
  ...Limits,
})
export type LicenseForm = z.output<typeof LicenseForm>

export const OrderForm = z.object({
  type: z.enum(licenseTypes),
  months: z.number('number').int('number').min(1, 'number').max(120, 'number'),
  ...Limits,
})
export type OrderForm = z.output<typeof OrderForm>

type LimitTexts = Record<(typeof limitNames)[number], string>
type LimitNumbers = Record<Exclude<(typeof limitNames)[number], 'traffic'> | 'trafficBytes', number | null>

const numberOf = (text: string): number | null => (text === '' ? null : Number(text))
const textOf = (limit: number | null): string => (limit === null ? '' : String(limit))

export const limitTexts = ({ trafficBytes, ...limits }: LimitNumbers): LimitTexts => ({
  nodes: textOf(limits.nodes),
  zones: textOf(limits.zones),
  sites: textOf(limits.sites),
  domains: textOf(limits.domains),
  users: textOf(limits.users),
  traffic: textOf(trafficBytes === null ? null : Math.round(trafficBytes / bytesOfGb)),
})

export const limitNumbers = ({ traffic, ...limits }: LimitTexts): LimitNumbers => ({
  nodes: numberOf(limits.nodes),
  zones: numberOf(limits.zones),
  sites: numberOf(limits.sites),
  domains: numberOf(limits.domains),
  users: numberOf(limits.users),
  trafficBytes: traffic === '' ? null : Number(traffic) * bytesOfGb,
})

/** The initial values: those of the licence, or one year for the first operator. */
export function formOf(license: License | OfflineLicense | undefined, firstOperator: number | undefined) {
  const inAYear = new Date()
  inAYear.setFullYear(inAYear.getFullYear() + 1, inAYear.getMonth(), inAYear.getDate())
  inAYear.setHours(0, 0, 0, 0)
  const none = { nodes: null, zones: null, sites: null, domains: null, users: null, trafficBytes: null }
  return {
    userID: license?.userID ?? firstOperator ?? Number.NaN,
    name: license?.name ?? '',
    type: license?.type ?? ('standard' as const),
    expiredAt: license?.expiredAt ?? inAYear.toISOString(),
    installation: license && 'installation' in license ? (license.installation ?? '') : '',
    ...limitTexts(license?.limits ?? none),
  }
}

/** Converts the form to a request body. */
export function bodyOf({ userID, name, type, expiredAt, installation, ...limits }: LicenseForm) {
  const { nodes, ...rest } = limitNumbers(limits)
  return { userID, name, type, expiredAt, nodeCount: nodes, limits: rest, installation: installation || null }
}

/** Maps the server's field names to the form's. */
export const fieldOf = (field: string): string =>
  ({ nodeCount: 'nodes', 'limits.trafficBytes': 'traffic' })[field] ?? field.replace(/^limits\./, '')
