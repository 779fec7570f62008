/** Permissions in a form: groups with a box each, a sentence a key, found by typing. What one lacks cannot be handed out. */
import { type Permission, permissionsOfTier } from '@breakwater/contract/permissions.ts'
import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { usePhrases } from '../app/phrases.ts'
import { useSelf } from '../app/session.ts'
import { FieldFrame, useField } from '../kit/fields/frame.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { Checkbox } from '../kit/Toggle.tsx'
import { grouped, usePermissionWords } from './permission-words.ts'

export function PermissionField({ name, label }: { name: string; label: string }) {
  const t = usePhrases('people')
  const words = usePermissionWords()
  const self = useSelf()
  const [text, setText] = useState('')
  const { field, error } = useField(name)
  const chosen = new Set((field.value ?? []) as Permission[])
  const ofTier = permissionsOfTier(self.auth)
  const mine = new Set<Permission>(self.permissions)
  const set = (keys: readonly Permission[], on: boolean) =>
    field.onChange(ofTier.filter((key) => (keys.includes(key) ? on && mine.has(key) : chosen.has(key))))
  const needle = text.trim().toLowerCase()
  const found = ofTier.filter((key) => `${key} ${words.sentence(key)}`.toLowerCase().includes(needle))
  return (
    <FieldFrame name={name} label={label} error={error} aside={t('tree.count', { n: chosen.size, max: ofTier.length })}>
      <div className="rounded-control border border-line">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter searches here, it does not save the form */}
        <div
          className="border-line border-b p-2"
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        >
          <SearchInput label={t('tree.search')} value={text} onChange={setText} className="w-full" />
        </div>
        <div className="max-h-[420px] overflow-y-auto px-3 py-2">
          {grouped(found).map(({ group, keys }) => {
            const open = keys.filter((key) => mine.has(key))
            const on = open.filter((key) => chosen.has(key)).length
            return (
              <fieldset key={group} className="mb-2 last:mb-0">
                {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside is the control */}
                <label className="flex min-h-7 items-center gap-2.5 font-medium pointer-coarse:min-h-11">
                  <Checkbox
                    checked={open.length > 0 && on === open.length}
                    indeterminate={on > 0 && on < open.length}
                    disabled={open.length === 0}
                    onCheckedChange={(next) => set(open, next)}
                  />
                  {words.group(group)}
                </label>
                <div className="ml-[7px] border-line border-l pl-4">
                  {keys.map((key) => (
                    <Key
                      key={key}
                      name={key}
                      sentence={words.sentence(key)}
                      danger={chosen.has(key) ? words.danger(key) : undefined}
                      beyond={mine.has(key) ? undefined : t('tree.beyond')}
                      checked={chosen.has(key)}
                      onChange={(next) => set([key], next)}
                    />
                  ))}
                </div>
              </fieldset>
            )
          })}
          {found.length === 0 && <p className="py-3 text-ink-3">{t('nobody')}</p>}
        </div>
      </div>
    </FieldFrame>
  )
}

type KeyProps = {
  name: Permission
  sentence: string
  danger: string | undefined
  beyond: string | undefined
  checked: boolean
  onChange: (on: boolean) => void
}

function Key({ name, sentence, danger, beyond, checked, onChange }: KeyProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the box inside is the control
    <label className="flex min-h-7 items-start gap-2.5 py-1 pointer-coarse:min-h-11" title={beyond}>
      <span className="mt-0.5">
        <Checkbox checked={checked} disabled={beyond !== undefined && !checked} onCheckedChange={onChange} />
      </span>
      <span className="min-w-0">
        <span className={beyond ? 'text-ink-3' : undefined}>{sentence}</span>{' '}
        <code className="mono text-ink-3 text-xs">{name}</code>
        {beyond && <span className="block text-ink-3 text-xs">{beyond}</span>}
        {danger && (
          <span className="flex items-start gap-1 text-warn text-xs">
            <TriangleAlert size={12} aria-hidden className="mt-0.5 shrink-0" />
            {danger}
          </span>
        )}
      </span>
    </label>
  )
}
