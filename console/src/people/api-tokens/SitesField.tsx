/** A choice from the sites that the user can access, as checkboxes with a search. */
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useState } from 'react'
import { FieldFrame, useField } from '../../kit/fields/frame.tsx'
import { SearchInput } from '../../kit/Input.tsx'
import { Checkbox } from '../../kit/Toggle.tsx'
import { useCall } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'

const shownMax = 50

export function SitesField({ name }: { name: string }) {
  const t = usePhrases('people')
  const [text, setText] = useState('')
  const { field, error } = useField(name)
  const { data } = useCall(sites.meta, {})
  const chosen = new Set((field.value ?? []) as number[])
  const flip = (id: number) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    field.onChange([...next])
  }
  const needle = text.trim().toLowerCase()
  // Selected sites stay visible, whatever is searched for.
  const found = (data?.data ?? [])
    .filter(({ siteID, siteName }) => chosen.has(siteID) || siteName.toLowerCase().includes(needle))
    .slice(0, shownMax)
  return (
    <FieldFrame name={name} label={t('sites')} error={error} aside={String(chosen.size)}>
      <div className="rounded-control border border-line">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter searches here, it does not save the form */}
        <div
          className="border-line border-b p-2"
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        >
          <SearchInput label={t('grants.find')} value={text} onChange={setText} className="w-full" />
        </div>
        <div className="max-h-52 overflow-y-auto px-3 py-2">
          {found.map(({ siteID, siteName }) => (
            // biome-ignore lint/a11y/noLabelWithoutControl: the box inside is the control
            <label key={siteID} className="flex min-h-7 items-center gap-2.5 pointer-coarse:min-h-11">
              <Checkbox checked={chosen.has(siteID)} onCheckedChange={() => flip(siteID)} />
              <span className="min-w-0 truncate">{siteName}</span>
            </label>
          ))}
          {found.length === 0 && <p className="py-2 text-ink-3">{t('nobody')}</p>}
        </div>
      </div>
    </FieldFrame>
  )
}
