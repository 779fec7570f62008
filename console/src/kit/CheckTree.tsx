/**
 * Grouped checkboxes: one for each choice and one for the whole group, with a search. Long lists may be folded by
 * group.
 */
import { ChevronRight } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { cn } from './cn.ts'
import { SearchInput } from './Input.tsx'
import { Checkbox } from './Toggle.tsx'

export type Leaf = {
  key: string
  label: ReactNode
  /** The text that the search matches. */
  text: string
  /** Cannot be selected, but can be deselected. */
  isClosed?: boolean
  title?: string | undefined
}
export type Branch = { key: string; label: string; leaves: readonly Leaf[] }

type Props = {
  branches: readonly Branch[]
  chosen: ReadonlySet<string>
  onChange: (keys: readonly string[], on: boolean) => void
  searchLabel: string
  none: string
  isFolded?: boolean
}

export function CheckTree({ branches, chosen, onChange, searchLabel, none, isFolded = false }: Props) {
  const [text, setText] = useState('')
  const needle = text.trim().toLowerCase()
  const found = branches
    .map((branch) => ({
      ...branch,
      leaves: branch.leaves.filter((leaf) => `${branch.label} ${leaf.text}`.toLowerCase().includes(needle)),
    }))
    .filter(({ leaves }) => leaves.length > 0)
  return (
    <div className="rounded-control border border-line bg-surface">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: Enter searches here, it does not save the form */}
      <div className="border-line border-b p-2" onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
        <SearchInput label={searchLabel} value={text} onChange={setText} className="w-full" />
      </div>
      <div className="max-h-[420px] overflow-y-auto px-3 py-2">
        {found.map((branch) => (
          <Group
            key={branch.key}
            branch={branch}
            chosen={chosen}
            onChange={onChange}
            canFold={isFolded && needle === ''}
          />
        ))}
        {found.length === 0 && <p className="py-3 text-ink-3">{none}</p>}
      </div>
    </div>
  )
}

type GroupProps = Pick<Props, 'chosen' | 'onChange'> & { branch: Branch; canFold: boolean }

function Group({ branch: { label, leaves }, chosen, onChange, canFold }: GroupProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const open = leaves.filter(({ isClosed }) => !isClosed)
  const on = open.filter(({ key }) => chosen.has(key)).length
  const isShown = !canFold || isOpen
  return (
    <fieldset className="mb-2 last:mb-0">
      <legend className="sr-only">{label}</legend>
      <div className="flex items-center gap-1">
        {canFold && (
          <button
            type="button"
            aria-label={label}
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={() => setOpen(!isOpen)}
            className="-ml-1.5 grid size-6 place-items-center rounded-[5px] text-ink-3 hover:bg-mute"
          >
            <ChevronRight size={14} aria-hidden className={cn('transition-transform', isOpen && 'rotate-90')} />
          </button>
        )}
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside is the control */}
        <label className="flex min-h-7 min-w-0 flex-1 items-center gap-2.5 font-medium pointer-coarse:min-h-11">
          <Checkbox
            checked={open.length > 0 && on === open.length}
            indeterminate={on > 0 && on < open.length}
            disabled={open.length === 0}
            onCheckedChange={(next) =>
              onChange(
                open.map(({ key }) => key),
                next,
              )
            }
          />
          {label}
        </label>
        {canFold && (
          <span className="num text-ink-3 text-xs">
            {on} / {open.length}
          </span>
        )}
      </div>
      {isShown && (
        <div id={id} className="ml-[7px] border-line border-l pl-4">
          {leaves.map(({ key, label: words, isClosed = false, title }) => (
            // biome-ignore lint/a11y/noLabelWithoutControl: the box inside is the control
            <label
              key={key}
              className="flex min-h-7 items-start gap-2.5 py-1 pointer-coarse:min-h-11"
              title={title}
              data-leaf={key}
            >
              <span className="mt-0.5">
                <Checkbox
                  checked={chosen.has(key)}
                  disabled={isClosed && !chosen.has(key)}
                  onCheckedChange={(next) => onChange([key], next)}
                />
              </span>
              <span className="min-w-0">{words}</span>
            </label>
          ))}
        </div>
      )}
    </fieldset>
  )
}
