/** What an operator ordered: applied when the licence is issued next. */
import { licenseTypes } from '@breakwater/contract/licenses/document.ts'
import { type LicenseSetting, licenses } from '@breakwater/contract/licenses/licenses.ts'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { LimitFields } from './LimitFields.tsx'
import { limitNumbers, limitTexts, OrderForm } from './license-form.ts'

const Field = fieldsOf(OrderForm)

type Props = { userId: number; name: string; onClose: () => void }

export function OrderDrawer({ userId, name, onClose }: Props) {
  const order = useCall(licenses.order, { userId })
  return order.data ? (
    <BookingForm userId={userId} name={name} setting={order.data.licenseSetting} onClose={onClose} />
  ) : null
}

function BookingForm({ userId, name, setting, onClose }: Props & { setting: LicenseSetting }) {
  const t = usePhrases('licenses')
  const update = useChange(licenses.updateOrder, licenses.order)
  const { type, months, limits } = setting
  const form = useResourceForm(OrderForm, {
    values: { type, months, ...limitTexts(limits) },
    save: ({ type, months, ...texts }) =>
      update.mutateAsync({ userId, body: { licenseSetting: { type, months, limits: limitNumbers(texts) } } }),
    done: t('updateSuccess'),
    onSaved: onClose,
    fieldOf: (field) => field.replace(/^licenseSetting\.(limits\.)?/, '').replace('trafficBytes', 'traffic'),
  })
  return (
    <FormDrawer form={form} title={t('order.title', { name })} onClose={onClose}>
      <p className="mb-4 text-ink-2">{t('order.help')}</p>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Select
          name="type"
          label={t('type')}
          options={licenseTypes.map((value) => ({ value, label: t(`type.${value}`) }))}
        />
        <Field.Number name="months" label={t('order.months')} />
      </div>
      <LimitFields />
    </FormDrawer>
  )
}
