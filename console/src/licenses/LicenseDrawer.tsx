/** One licence: its holder, its limits and its expiry. An offline one also names its installation. */
import { licenseTypes } from '@breakwater/contract/licenses/document.ts'
import type { License, OfflineLicense } from '@breakwater/contract/licenses/licenses.ts'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { usePhrases } from '../platform/phrases.ts'
import { LimitFields } from './LimitFields.tsx'
import { fieldOf, formOf, LicenseForm } from './license-form.ts'

const Field = fieldsOf(LicenseForm)

type Props = {
  license: License | OfflineLicense | undefined
  operators: readonly { id: number; name: string; account: string }[]
  offline: boolean
  title: string
  done: string
  save: (form: LicenseForm) => Promise<unknown>
  onClose: () => void
}

/** The usual terms of licences, in hours: 30, 90 and 365 days. */
const terms = [30 * 24, 90 * 24, 365 * 24]

export function LicenseDrawer({ license, operators, offline, title, done, save, onClose }: Props) {
  const t = usePhrases('licenses')
  const form = useResourceForm(LicenseForm, {
    values: formOf(license, operators[0]?.id),
    save,
    done,
    onSaved: onClose,
    fieldOf,
  })
  return (
    <FormDrawer form={form} title={title} onClose={onClose}>
      {!license && (
        <Field.Select
          name="userID"
          label={t('holder')}
          options={operators.map(({ id, name, account }) => ({
            value: id,
            label: name ? `${name} (${account})` : account,
          }))}
        />
      )}
      <Field.Text name="name" label={t('name')} autoFocus />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Select
          name="type"
          label={t('type')}
          options={licenseTypes.map((type) => ({ value: type, label: t(`type.${type}`) }))}
        />
        <Field.Moment name="expiredAt" label={t('expires')} presets={terms} isRequired />
      </div>
      {offline && (
        <Field.Text
          name="installation"
          label={t('installation')}
          help={t('installation.help')}
          placeholder="01234567-89abcdef-01234567-89abcdef"
          mono
        />
      )}
      <LimitFields />
    </FormDrawer>
  )
}
