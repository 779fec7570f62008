/** WAF rule sets from the operator, and which of them the nodes of a zone use. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { idMax, MomentText } from '../fields.ts'
import { RowId } from '../logs/explorer.ts'
import { Ids, pageOf } from '../paging.ts'
import { settings } from '../settings.ts'
import { RuleSetSigner, signatureBytesMax } from './rule-set-publishers.ts'

/** The most bytes of an archive; the Core Rule Set has 400 KB. */
export const ruleSetBytesMax = 5_242_880
/** The most that an operator may keep. */
export const ruleSetsMax = 20

export const RuleSetPlace = z.object({
  file: z.string(),
  line: z.number().int().describe('0 where the file as a whole is meant.'),
  reason: z.string().describe('In the words of the compiler.'),
})
export type RuleSetPlace = z.output<typeof RuleSetPlace>

/** Settings from `crs-setup.conf` and from the exclusions shipped with the rules. */
export const RuleSetLeftOut = z.object({
  file: z.string(),
  line: z.number().int(),
  what: z.string().describe('As it stands there: `tx.blocking_paranoia_level=2`.'),
  reason: wordOf(
    'RuleSetLeftOutReason',
    'Why a setting of an uploaded rule set does not hold: sites and zones have a setting of their own for it, or no rule asks for it.',
    ['own', 'unused'],
  ),
})
export type RuleSetLeftOut = z.output<typeof RuleSetLeftOut>

export const RuleSetTrial = z.object({
  at: MomentText,
  benign: z.number().int().describe('Ordinary requests that were asked, at paranoia level 1 and the usual threshold.'),
  refused: z.number().int().describe('Those of them that it would refuse.'),
  refusedBefore: z.number().int().describe('Those that Debian’s rule set, which is the default, would refuse.'),
  examples: z
    .array(z.object({ request: z.string(), rules: z.array(z.number().int()) }))
    .describe('Ordinary requests that it alone would refuse, ten at the most.'),
  attacks: z.number().int().describe('Attacks that were asked.'),
  found: z.number().int().describe('Those of them that it would refuse.'),
  foundBefore: z.number().int().describe('Those that the default would refuse.'),
})
export type RuleSetTrial = z.output<typeof RuleSetTrial>

export const RuleSet = z.object({
  id: z.number().int(),
  name: z.string().describe('The source and its version, as the rules say it.'),
  fileName: z.string().describe('Of the archive that was uploaded; the name of the package for an update of Debian’s.'),
  hash: z.string().describe('SHA-256 of what nodes get, by which they ask for it.'),
  levels: z.array(z.number().int()).describe('How many rules are asked at paranoia levels 1 to 4.'),
  zones: z.array(z.object({ id: z.number().int(), name: z.string() })).describe('Those that chose it.'),
  trial: RuleSetTrial.nullable().describe('What the lab made of it; nothing until it was tried.'),
  signer: RuleSetSigner.nullable().describe('Whose signature it came with; nothing where it had none.'),
  leftOut: z.array(RuleSetLeftOut).describe('What of its settings and exclusions does not hold.'),
  actor: z.string(),
  createdAt: MomentText,
})
export type RuleSet = z.output<typeof RuleSet>

const access = { tiers: ['client'], beyond: true } as const

export const ruleSets = {
  list: endpoint('client.wafRuleSets.list', 'GET', '/client/wafRuleSets', {
    ...{ ...access, can: 'zones.read', kind: 'list' },
    reply: pageOf(RuleSet).extend({
      defaultName: z.string().describe('What zones ask that chose none: its source and version.'),
    }),
    summary: 'Lists the WAF rule sets that a zone can choose, newest first: uploaded ones, and updates of Debian’s.',
  }),
  add: endpoint('client.wafRuleSets.add', 'POST', '/client/wafRuleSets', {
    ...{ ...access, can: 'zones.write', form: { fileBytesMax: ruleSetBytesMax } },
    body: z.strictObject({
      file: z
        .file('wrongFormat')
        .max(ruleSetBytesMax, 'fileTooLarge')
        .describe('A folder of SecLang as .tar.gz or .zip: the OWASP Core Rule Set 3.3 or 4. 5 MiB at the most.'),
      signature: z
        .file('wrongFormat')
        .max(signatureBytesMax, 'fileTooLarge')
        .optional()
        .describe(
          'A detached OpenPGP signature of the file by a trusted publisher, armored or not. 64 KiB at the most.',
        ),
    }),
    reply: z.object({
      id: z.number().int().describe('0 where it was refused; nothing of it was kept then.'),
      problems: z.array(RuleSetPlace).describe('What of it nodes cannot ask, with its place.'),
      leftOut: z.array(RuleSetLeftOut).describe('What of its settings and exclusions does not hold.'),
    }),
    summary:
      'Uploads a rule set and compiles it. One with a rule that nodes cannot ask is refused whole, with file and line.',
  }),
  try: endpoint('client.wafRuleSets.try', 'POST', '/client/wafRuleSets/:ruleSetId/try', {
    ...{ ...access, can: 'zones.write', reply: RuleSetTrial },
    summary: 'Tests a rule set in the lab with legitimate requests and attacks, and compares it with the default.',
  }),
  remove: endpoint('client.wafRuleSets.remove', 'DELETE', '/client/wafRuleSets', {
    ...{ ...access, can: 'zones.write', body: Ids },
    summary: 'Removes rule sets. One that a zone uses is refused.',
  }),
}

const chosenId = z.number().int('number').min(0, 'number').max(idMax, 'number')

const id = 'client.zone.setting.wafRuleSet'
export const zoneRuleSet = settings(
  'zone',
  'wafRuleSet',
  {
    ...{ id, path: 'setting/wafRuleSet', read: 'zones.read', write: 'zones.write', beyond: true },
    schema: z.strictObject({
      ruleSetId: chosenId.describe('One that was uploaded and tried; 0 for Debian’s, which is the default.'),
    }),
    noun: 'rule set of the WAF that the nodes of a zone ask',
  },
  { ruleSetId: 0 },
)

export const zoneShadow = settings(
  'zone',
  'wafShadow',
  {
    ...{ id: 'client.zone.setting.wafShadow', path: 'setting/wafShadow', read: 'zones.read', write: 'zones.write' },
    beyond: true,
    schema: z.strictObject({
      ruleSetId: chosenId.describe('One that was uploaded and tried; 0 for none.'),
      percent: z
        .number()
        .int('number')
        .min(1, 'number')
        .max(100, 'number')
        .describe('Of the requests that the WAF looks at, so many of a hundred are decided by both rule sets.'),
      nodes: wordOf('ShadowNodes', 'On which nodes of the zone a rule set is in shadow: on one alone, or on all.', [
        'one',
        'all',
      ])
        .default('one')
        .describe('Whether one node of the zone asks it, or all of them.'),
    }),
    noun: 'rule set of the WAF that is asked in shadow: about live requests, beside the one that decides, for the log alone',
  },
  { ruleSetId: 0, percent: 1, nodes: 'one' },
)

const WafShadow = z.object({
  node: z
    .string()
    .nullable()
    .describe('The one node that asks it, by its name; nothing where all do, or none does yet.'),
  requests: z.number().int().describe('Decided by both rule sets.'),
  refused: z
    .number()
    .int()
    .describe('Of these, refused by the one that decides, or by a site in observe mode what it would refuse.'),
  refusedInShadow: z.number().int().describe('Of these, refused by the one in shadow, if it decided.'),
  onlyNow: z.number().int().describe('Refused by the one that decides alone.'),
  onlyInShadow: z.number().int().describe('Refused by the one in shadow alone.'),
  rules: z
    .array(
      z.object({
        ruleID: z.number().int(),
        name: z.string().describe('What the rule is about, as the rule set says it.'),
        requests: z.number().int().describe('Requests that it matched.'),
        onlyInShadow: z.number().int().describe('Of these, refused by the rule set in shadow alone.'),
        people: z.number().int().describe('Visitors of the latter who are probably people.'),
      }),
    )
    .describe('Rules of the one in shadow that matched, those first that would refuse what is not refused now.'),
  examples: z
    .array(
      z.object({
        row: RowId,
        at: MomentText,
        siteID: z.number().int(),
        method: z.string(),
        url: z.string(),
        isRefusedNow: z.boolean(),
        rules: z.array(z.number().int()).describe('Of the one in shadow, those that matched.'),
      }),
    )
    .describe('Requests about which they differ, newest first, ten at the most.'),
})
export type WafShadow = z.output<typeof WafShadow>

export const wafShadow = {
  outcome: endpoint('client.zone.wafShadow', 'GET', '/client/zone/:zoneId/wafShadow', {
    ...{ ...access, can: 'zones.read', reply: WafShadow },
    summary: 'Compares what the rule set in shadow made of requests in the last 24 hours with what was decided.',
  }),
}
