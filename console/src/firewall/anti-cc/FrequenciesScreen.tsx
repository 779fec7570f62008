/** The trigger frequencies that an operator offers for anti-CC rules (screen `perdefinedSetting`). */
import {
  type Frequency,
  FrequencyChange,
  frequencies,
  frequenciesMax,
} from '@breakwater/contract/firewall/frequencies.ts'
import { Plus, X } from 'lucide-react'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { Button, IconButton } from '../../kit/Button.tsx'
import { Form } from '../../kit/Form.tsx'
import { Failed, reasonText } from '../../kit/faults.tsx'
import { NumberField } from '../../kit/fields/NumberField.tsx'
import { TextField } from '../../kit/fields/TextField.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { SaveBar } from '../../kit/SettingsSection.tsx'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { useCall, useChange } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { useMay } from '../../platform/session.ts'

export function FrequenciesScreen() {
  const t = usePhrases('firewall')
  const mayWrite = useMay()('settings.write')
  const call = useCall(frequencies.get, {})
  return (
    <div className="max-w-[880px]">
      <PageHead title={t('freq.title')} help={t('freq.help')} />
      <Panel title={t('freq.title')}>
        {call.data ? (
          // New ones get their ids when they are saved.
          <Frequencies key={JSON.stringify(call.data)} stored={call.data} mayWrite={mayWrite} />
        ) : call.isError ? (
          <Failed fault={call.error} retry={() => call.refetch()} />
        ) : (
          <div className="skeleton h-40" />
        )}
      </Panel>
    </div>
  )
}

function Frequencies({ stored, mayWrite }: { stored: Frequency[]; mayWrite: boolean }) {
  const t = usePhrases('firewall')
  const update = useChange(frequencies.update, frequencies.get)
  const form = useResourceForm(FrequencyChange, {
    values: { items: stored },
    save: (body) => update.mutateAsync({ body }),
    done: t('freq.saved'),
    stays: (body) => body,
  })
  return (
    <Form form={form}>
      <Rows mayWrite={mayWrite} />
      {mayWrite && <SaveBar form={form} />}
    </Form>
  )
}

function Rows({ mayWrite }: { mayWrite: boolean }) {
  const t = usePhrases('firewall')
  const tKit = usePhrases('kit')
  const { formState } = useFormContext()
  const { fields, append, remove } = useFieldArray({ name: 'items', keyName: 'key' })
  const refused = formState.errors.items as { message?: string; root?: { message?: string } } | undefined
  const fault = reasonText(refused?.root?.message ?? refused?.message, tKit)
  return (
    <div className="mb-4">
      <ul>
        {fields.map(({ key }, index) => (
          <li key={key} className="flex flex-wrap items-start gap-x-2 border-line border-b pt-3 last:border-b-0">
            <TextField name={`items.${index}.name`} label={t('freq.name')} className="grow basis-full sm:basis-40" />
            <NumberField
              name={`items.${index}.times`}
              label={t('freq.times')}
              className="w-24 grow sm:w-28 sm:grow-0"
            />
            <NumberField
              name={`items.${index}.seconds`}
              label={t('freq.seconds')}
              unit={t('interval.unit')}
              className="w-24 grow sm:w-28 sm:grow-0"
            />
            {mayWrite && (
              <span className="pt-[29px]">
                <IconButton size="iconSm" label={t('freq.remove')} onClick={() => remove(index)}>
                  <X size={14} aria-hidden />
                </IconButton>
              </span>
            )}
          </li>
        ))}
      </ul>
      {fault && (
        <p role="alert" className="mt-2 text-bad text-xs">
          {fault}
        </p>
      )}
      {mayWrite && fields.length < frequenciesMax && (
        <Button size="sm" look="ghost" onClick={() => append({ name: '', seconds: 60, times: 100 })}>
          <Plus size={13} aria-hidden />
          {t('freq.add')}
        </Button>
      )}
    </div>
  )
}
