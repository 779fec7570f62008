/** Networks by AS number, in the usual notation: AS13335, AS15169. */
import { Field } from '@base-ui/react/field'
import { useState } from 'react'
import { cn } from '../../kit/cn.ts'
import { reasonText } from '../../kit/faults.tsx'
import { FieldFrame, useField } from '../../kit/fields/frame.tsx'
import { inputClass } from '../../kit/Input.tsx'
import { usePhrases } from '../../platform/phrases.ts'

const asText = (asns: readonly number[]) => asns.map((asn) => `AS${asn}`).join(', ')

/** Text that is not a number becomes a value that the schema rejects. */
const asNumbers = (text: string): number[] =>
  text
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map((part) => Number(part.replace(/^as/i, '')))

export function NetworksField({ label, help }: { label: string; help: string }) {
  const t = usePhrases('kit')
  const { field, error, fault } = useField('asns')
  const [text, setText] = useState(() => asText((field.value ?? []) as number[]))
  const ofOne = Array.isArray(fault) ? (fault as unknown[]).find((one) => one !== undefined) : undefined
  const wrong = error ?? reasonText((ofOne as { message?: string } | undefined)?.message, t)
  return (
    <FieldFrame name="asns" label={label} help={help} error={wrong}>
      <Field.Control
        name={field.name}
        value={text}
        onValueChange={(value) => {
          setText(value)
          field.onChange(asNumbers(value))
        }}
        onBlur={field.onBlur}
        className={cn(inputClass, 'mono')}
        placeholder="AS13335, AS15169"
        spellCheck={false}
        autoComplete="off"
      />
    </FieldFrame>
  )
}
