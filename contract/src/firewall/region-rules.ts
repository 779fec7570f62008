/**
 * Region rules (`geos` on the wire): visitors from certain countries, or from all others, are refused or challenged;
 * the same for networks, by their autonomous system numbers.
 */
import { z } from 'zod'
import { RuleMeta, ruleList } from '../rule-list.ts'
import { countriesOf } from '../system/region-ids.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { edgeRule } from './edge-rule-fields.ts'
import { RuleAction } from './rule-action.ts'

const regionsMax = 300
const networksMax = 300
/** Autonomous system numbers have four bytes. */
const asnMax = 4_294_967_295

export const RegionRule = z.object({
  urlRegex: UrlRegex.or(z.literal('')).default('').describe('Empty means every URL.'),
  isBlack: z.boolean().default(true).describe('Whether it means visitors from these regions, or from all others.'),
  geoIDs: z
    .array(
      z
        .number()
        .int('wrongFormat')
        .refine((id) => countriesOf(id).length > 0, 'wrongFormat'),
    )
    .max(regionsMax, 'itemsExceedLimit')
    .refine((ids) => new Set(ids).size === ids.length, 'duplicatedData')
    .default([])
    .describe('Ids of continents and countries, as `geoips` lists them.'),
  asns: z
    .array(z.number().int('wrongFormat').min(1, 'wrongFormat').max(asnMax, 'wrongFormat'))
    .max(networksMax, 'itemsExceedLimit')
    .refine((asns) => new Set(asns).size === asns.length, 'duplicatedData')
    .default([])
    .describe(
      'Networks by the numbers of their autonomous systems (AS), beside the regions; one of both lists names something.',
    ),
  blockType: RuleAction.default(1),
  ...RuleMeta.shape,
})
export type RegionRule = z.output<typeof RegionRule>

export const EdgeRegionRule = edgeRule({
  /** ISO 3166-1 alpha-2. */
  countries: z.array(z.string().regex(/^[A-Z]{2}$/)).max(700),
  /** Numbers of autonomous systems; absent for none. */
  asns: z.array(z.number().int()).min(1).max(networksMax).optional(),
  isBlack: z.boolean(),
  /** 0 refuses; 1 to 5 challenge. */
  blockType: z.number().int().min(0).max(5),
})
export type EdgeRegionRule = z.output<typeof EdgeRegionRule>

export const regionRules = ruleList('regionRules', {
  owner: 'site',
  ids: { one: 'site.firewall.l7.geo', many: 'site.firewall.l7.geos' },
  paths: { one: 'firewall/l7/geo', many: 'firewall/l7/geos' },
  item: RegionRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 100,
  noun: 'region rule',
  check({ geoIDs, asns }, context) {
    if (geoIDs.length + asns.length === 0) context.addIssue({ code: 'custom', message: 'required', path: ['geoIDs'] })
  },
})
