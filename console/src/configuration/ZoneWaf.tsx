/** Which WAF rule set the nodes of a zone use, and the available rule sets. */
import { observedRules } from '@breakwater/contract/nodes/observed-rules.ts'
import { ruleSets, zoneRuleSet } from '@breakwater/contract/nodes/rule-sets.ts'
import { zoneConfiguration } from '@breakwater/contract/nodes/zone-configuration.ts'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { GroupSettings } from '../pickers/settings/GroupSettings.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { ObservedRules } from './ObservedRules.tsx'
import { RuleSetList } from './RuleSetList.tsx'
import { RuleSetPublishers } from './RuleSetPublishers.tsx'
import { ZoneShadow } from './ZoneShadow.tsx'

const refreshes = [zoneConfiguration.status, zoneConfiguration.history, ruleSets.list, observedRules.list]
const Field = fieldsOf(zoneRuleSet.schema)

export function ZoneWaf({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const { data } = useCall(ruleSets.list, {})
  const inUse = useCall(zoneRuleSet.calls.get, { zoneId }).data
  const options = [
    { value: 0, label: t('ruleSet.default', { name: data?.defaultName ?? '…' }) },
    ...(data?.data ?? []).map(({ id, name, hash, trial }) => ({
      value: id,
      label: t(trial ? 'ruleSet.option' : 'ruleSet.untried', { name, hash: hash.slice(0, 8) }),
    })),
  ]
  return (
    <>
      <PageHead title={t('waf')} help={t('waf.help')} />
      <GroupSettings
        group={zoneRuleSet}
        place={{ zoneId }}
        title={t('ruleSet')}
        help={t('ruleSet.help')}
        can="zones.write"
        refreshes={refreshes}
      >
        <Field.Select name="ruleSetId" label={t('ruleSet.choice')} options={options} />
      </GroupSettings>
      <BackToBefore zoneId={zoneId} />
      {inUse && inUse.ruleSetId > 0 && <ObservedRules zoneId={zoneId} />}
      <ZoneShadow zoneId={zoneId} options={options} />
      <RuleSetList />
      <RuleSetPublishers />
    </>
  )
}

/** What a revision records about the rule set; for an uploaded one, also its name. */
type Said = { ruleSetId?: number; name?: string } | null

/** Returns to the rule set that the nodes used before the last change, with one click. */
function BackToBefore({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const mayWrite = useMay()('zones.write')
  const { data } = useCall(zoneConfiguration.history, { zoneId, query: { page: 1, pageSize: 50 } })
  const known = useCall(ruleSets.list, {}).data
  const update = useChange(zoneRuleSet.calls.update, zoneRuleSet.calls.get, ...refreshes)
  const last = data?.data.flatMap(({ changes }) => changes).find(({ path }) => path === zoneRuleSet.name)
  if (!last || !known || !mayWrite) return null
  const before = last.before as Said
  const ruleSetId = before?.ruleSetId ?? 0
  // The rule set may have been removed since.
  if (ruleSetId !== 0 && !known.data.some(({ id }) => id === ruleSetId)) return null
  const name = before?.name ?? t('ruleSet.default', { name: known.defaultName })
  return (
    <p className="mt-3">
      <ConfirmButton
        label={t('ruleSet.back', { name })}
        title={t('ruleSet.back', { name })}
        consequence={t('ruleSet.backText')}
        confirmLabel={t('ruleSet.backConfirm')}
        onConfirm={() => update.mutateAsync({ zoneId, body: { ruleSetId } })}
      />
    </p>
  )
}
