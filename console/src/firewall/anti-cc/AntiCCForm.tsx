/** The drawer for one anti-CC rule. */
import { AntiCCRule } from '@breakwater/contract/firewall/anti-cc.ts'
import type { Frequency } from '@breakwater/contract/firewall/frequencies.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useBlockTypeOptions } from '../../pickers/rules/block-types.ts'
import { SiteRuleEditor } from '../../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../../pickers/rules/useRules.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'

const Field = fieldsOf(AntiCCRule)
const fresh: Omit<AntiCCRule, 'type'> = {
  ...{ urlRegex: '', priority: 100, blockType: 1, blockSeconds: 600 },
  ...{ enabled: true, mode: 'enforce', memo: '', expiresAt: null },
}

/** `offered` are the operator's trigger frequencies: there is always at least one. */
export function AntiCCForm({ rules, offered }: { rules: Rules; offered: readonly Frequency[] }) {
  const t = usePhrases('firewall')
  const tRules = usePhrases('rules')
  const format = useFormat()
  const blockTypes = useBlockTypeOptions(undefined)
  const options = offered.map(({ id, name, times, seconds }) => {
    const limit = t('cc.limit', { times: format.number(times), seconds: format.number(seconds) })
    // The default names of a new installation just repeat their numbers.
    return { value: id, label: name === `${times} / ${seconds} s` ? limit : t('cc.option', { name, limit }) }
  })
  const path = (
    <Field.Text name="urlRegex" label={t('urlRegex')} help={t('urlRegex.help')} placeholder="^/login" mono autoFocus />
  )
  return (
    <SiteRuleEditor
      rules={rules}
      schema={AntiCCRule}
      fresh={{ ...fresh, type: offered[0]?.id ?? 1 }}
      tries="antiCC"
      conditions={[
        { name: 'urlRegex', label: t('urlRegex'), control: path },
        {
          name: 'type',
          label: t('cc.type'),
          control: <Field.Select name="type" label={t('cc.type')} help={t('cc.typeHelp')} options={options} />,
        },
      ]}
      action={
        <>
          <Field.Select name="blockType" label={tRules('blockType')} options={blockTypes} />
          <Field.Number
            name="blockSeconds"
            label={t('cc.blockSeconds')}
            unit={t('interval.unit')}
            help={t('cc.blockSecondsHelp')}
          />
        </>
      }
    />
  )
}
