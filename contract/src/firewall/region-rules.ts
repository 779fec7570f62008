/** Region rules (`geos` on the wire): countries whose visitors are refused or challenged, or all others are. */
import { z } from 'zod'
import { RuleMeta, ruleList } from '../rule-list.ts'
import { countriesOf } from '../system/region-ids.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { edgeRule } from './edge-rule-fields.ts'
import { RuleAction } from './rule-action.ts'

const regionsMax = 300

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
    .min(1, 'required')
    .max(regionsMax, 'itemsExceedLimit')
    .refine((ids) => new Set(ids).size === ids.length, 'duplicatedData')
    .describe('Ids of continents and countries, as `geoips` lists them.'),
  blockType: RuleAction.default(1),
  ...RuleMeta.shape,
})
export type RegionRule = z.output<typeof RegionRule>

export const EdgeRegionRule = edgeRule({
  /** ISO 3166-1 alpha-2. */
  countries: z
    .array(z.string().regex(/^[A-Z]{2}$/))
    .min(1)
    .max(700),
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
})
