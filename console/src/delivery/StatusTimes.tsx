/** How long responses are cached by status: a row for each status. */
import { storedStatuses } from '@breakwater/contract/delivery/cache-rules.ts'
import { Plus, X } from 'lucide-react'
import { useFieldArray } from 'react-hook-form'
import { Button, IconButton } from '../kit/Button.tsx'
import { SelectField } from '../kit/fields/choices.tsx'
import { NumberField } from '../kit/fields/NumberField.tsx'
import { usePhrases } from '../platform/phrases.ts'

const options = storedStatuses.map((value) => ({ value, label: `${value}` }))

export function StatusTimes() {
  const t = usePhrases('delivery')
  const { fields, append, remove } = useFieldArray({ name: 'statuses' })
  return (
    <fieldset className="mb-4">
      <legend className="mb-1.5 font-medium">{t('statuses')}</legend>
      {fields.map(({ id }, index) => (
        <div key={id} className="flex items-start gap-2">
          <SelectField
            name={`statuses.${index}.status`}
            label={t('statuses.status')}
            options={options}
            className="w-28"
          />
          <NumberField
            name={`statuses.${index}.ttl`}
            label={t('ttl')}
            unit={t('ttl.unit')}
            className="min-w-0 flex-1"
          />
          <span className="pt-[29px]">
            <IconButton size="iconSm" label={t('statuses.remove')} onClick={() => remove(index)}>
              <X size={14} aria-hidden />
            </IconButton>
          </span>
        </div>
      ))}
      <Button size="sm" look="ghost" onClick={() => append({ status: 404, ttl: 60 })}>
        <Plus size={13} aria-hidden />
        {t('statuses.add')}
      </Button>
      <p className="mt-1 text-ink-3 text-xs">{t('statuses.help')}</p>
    </fieldset>
  )
}
