/** The drawer of one cache rule. */
import { CacheRule, fileTypes } from '@breakwater/contract/delivery/cache-rules.ts'
import { useWatch } from 'react-hook-form'
import { usePhrases } from '../app/phrases.ts'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Tags } from '../kit/Status.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'

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

type Props = { rule: CacheRule | undefined; save: (body: CacheRule) => Promise<unknown>; onClose: () => void }

export function CacheRuleForm({ rule, save, onClose }: Props) {
  const t = usePhrases('delivery')
  const form = useResourceForm(CacheRule, {
    values: rule ? CacheRule.parse(rule) : fresh,
    // A file type group has no values of its own.
    save: (body) => save(body.type in fileTypes ? { ...body, values: [] } : body),
    done: t(rule ? 'set' : 'added'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t(rule ? 'edit' : 'add')} onClose={onClose}>
      <Field.Select
        name="type"
        label={t('type')}
        options={types.map((value) => ({ value, label: t(`type.${value}`) }))}
      />
      <Values />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Number name="ttl" label={t('ttl')} help={t('ttl.help')} unit={t('ttl.unit')} />
        <Field.Number name="priority" label={t('priority')} />
      </div>
      <Field.Switch name="ignoreQuery" label={t('ignoreQuery')} />
      <Field.Memo name="memo" label={t('memo')} />
      <Field.Switch name="enabled" label={t('enabled')} />
    </FormDrawer>
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
