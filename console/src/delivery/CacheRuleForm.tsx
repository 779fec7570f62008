/** The drawer of one cache rule. */
import { CacheRule, fileTypes } from '@breakwater/contract/delivery/cache-rules.ts'
import { useWatch } from 'react-hook-form'
import { usePhrases } from '../app/phrases.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Tags } from '../kit/Status.tsx'
import { SiteRuleEditor } from '../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../pickers/rules/useRules.ts'

const Field = fieldsOf(CacheRule)
const fresh: CacheRule = {
  type: 'path',
  values: [],
  ttl: 3600,
  ignoreQuery: false,
  priority: 100,
  enabled: true,
  mode: 'enforce',
  memo: '',
  expiresAt: null,
}
const types = ['path', 'extension', 'image', 'page', 'audioVideo', 'file'] as const
const valuesMax = 100

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
      schema={CacheRule}
      fresh={fresh}
      added={t('added')}
      hasMode={false}
      // A file type group has no values of its own.
      prepare={(body) => (body.type in fileTypes ? { ...body, values: [] } : body)}
      conditions={[
        { name: 'type', label: t('type'), control: type },
        { name: 'values', label: t('values'), control: <Values /> },
      ]}
      action={
        <>
          <Field.Number name="ttl" label={t('ttl')} help={t('ttl.help')} unit={t('ttl.unit')} />
          <Field.Switch name="ignoreQuery" label={t('ignoreQuery')} />
        </>
      }
    />
  )
}

/** Paths and extensions are written; a group says what is in it. */
function Values() {
  const t = usePhrases('delivery')
  const type = useWatch({ name: 'type' }) as CacheRule['type']
  if (type === 'extension') {
    return (
      <Field.Tags name="values" label={t('values')} help={t('values.extensions')} max={valuesMax} placeholder="png" />
    )
  }
  if (type === 'path') {
    return (
      <Field.Lines name="values" label={t('values')} help={t('values.help')} max={valuesMax} placeholder="/assets/" />
    )
  }
  return (
    <div className="mb-4">
      <Tags values={fileTypes[type]} />
    </div>
  )
}
