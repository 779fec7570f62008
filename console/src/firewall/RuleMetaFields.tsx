/** The fields of what every rule has: mode, expiry, note, on or off. */
import { RuleMeta } from '@breakwater/contract/rule-list.ts'
import { usePhrases } from '../app/phrases.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'

const Field = fieldsOf(RuleMeta)

export function RuleMetaFields() {
  const t = usePhrases('firewall')
  const modes = [
    { value: 'enforce', label: t('mode.enforce') },
    { value: 'observe', label: t('mode.observe') },
  ]
  return (
    <>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Select name="mode" label={t('mode')} help={t('mode.help')} options={modes} />
        <Field.Moment name="expiresAt" label={t('expires')} help={t('expires.help')} />
      </div>
      <Field.Memo name="memo" label={t('memo')} />
      <Field.Switch name="enabled" label={t('enabled')} />
    </>
  )
}
