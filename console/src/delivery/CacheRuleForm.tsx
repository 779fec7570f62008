/** The drawer for one cache rule. */
import { CacheRule, checkCacheRule, fileTypes } from '@breakwater/contract/delivery/cache-rules.ts'
import { useWatch } from 'react-hook-form'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Tags } from '../kit/Status.tsx'
import { SiteRuleEditor } from '../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../pickers/rules/useRules.ts'
import { usePhrases } from '../platform/phrases.ts'
import { CacheRuleChoices } from './CacheRuleChoices.tsx'
import { RuleSimulator } from './CacheSimulator.tsx'

const Field = fieldsOf(CacheRule)
const schema = CacheRule.superRefine(checkCacheRule)
const fresh: CacheRule = CacheRule.parse({ type: 'path', values: [], ttl: 3600 })
const types = ['path', 'exact', 'regex', 'extension', 'image', 'page', 'audioVideo', 'file'] as const
const valuesMax = 100

/**
 * What is sent: a file type group has no values of its own, and an ignored query string has no parameters that count.
 */
function prepared(rule: CacheRule): CacheRule {
  const values = rule.type in fileTypes ? [] : rule.values
  const query = rule.ignoreQuery ? 'all' : rule.query
  return { ...rule, values, query, queryNames: query === 'all' ? [] : rule.queryNames }
}

export function CacheRuleForm({ rules }: { rules: Rules }) {
  const t = usePhrases('delivery')
  const type = (
    <Field.Select
      name="type"
      label={t('type')}
      options={types.map((value) => ({ value, label: t(`type.${value}`) }))}
    />
  )
  return (
    <SiteRuleEditor
      rules={rules}
      schema={schema}
      fresh={fresh}
      added={t('added')}
      prepare={prepared}
      conditions={[
        { name: 'type', label: t('type'), control: type },
        { name: 'values', label: t('values'), control: <Values /> },
      ]}
      action={<CacheRuleChoices />}
      trial={<RuleSimulator siteId={rules.siteId} ruleId={rules.opened?.id} />}
    />
  )
}

const placeholders = { path: '/assets/', exact: '/index.html', regex: '^/download/[0-9]+$' }

/** Paths and extensions are typed; a group shows what it contains. */
function Values() {
  const t = usePhrases('delivery')
  const type = useWatch({ name: 'type' }) as CacheRule['type']
  if (type === 'extension') {
    return (
      <Field.Tags name="values" label={t('values')} help={t('values.extensions')} max={valuesMax} placeholder="png" />
    )
  }
  if (type === 'path' || type === 'exact' || type === 'regex') {
    return (
      <Field.Lines
        name="values"
        label={t('values')}
        help={t(`values.${type}`)}
        max={valuesMax}
        placeholder={placeholders[type]}
      />
    )
  }
  return (
    <div className="mb-4">
      <Tags values={fileTypes[type]} />
    </div>
  )
}
