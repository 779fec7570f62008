/** The limits of a licence or an order: six numbers, empty for none. */

import { fieldsOf } from '../kit/fields/fields-of.ts'
import { usePhrases } from '../platform/phrases.ts'
import { limitNames, OrderForm } from './license-form.ts'

const Field = fieldsOf(OrderForm)

export function LimitFields() {
  const t = usePhrases('licenses')
  return (
    <fieldset className="mb-2">
      <legend className="mb-1 font-medium">{t('limits')}</legend>
      <p className="mb-3 text-ink-3 text-xs">{t('limits.help')}</p>
      <div className="grid grid-cols-2 gap-x-4 sm:grid-cols-3">
        {limitNames.map((name) => (
          <Field.Text
            key={name}
            name={name}
            label={name === 'traffic' ? t('limit.trafficGB') : t(`limit.${name}`)}
            placeholder={t('unlimited')}
          />
        ))}
      </div>
    </fieldset>
  )
}
