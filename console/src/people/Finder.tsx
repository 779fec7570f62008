/** Finds something by part of its name and adds it with a press. The server searches: there may be thousands. */
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { Popover } from '../kit/Overlay.tsx'
import { usePhrases } from '../platform/phrases.ts'

export type Found = { id: number; label: string; hint?: string }
type Props = {
  label: string
  search: string
  /** A hook called with the typed text while the finder is open. */
  useFound: (text: string) => readonly Found[] | undefined
  onTake: (found: Found) => void
  /** Shown if there is nothing that could be found. */
  none?: string | undefined
  /** Whether it is the primary action of its page. */
  isMain?: boolean
}

export function Finder({ label, search, useFound, onTake, none, isMain = false }: Props) {
  const [open, setOpen] = useState(false)
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={label}
      className="w-[320px] p-2"
      trigger={
        <Button {...(isMain ? { look: 'solid' as const } : { size: 'sm' as const })}>
          {!isMain && <Plus size={13} aria-hidden />}
          {label}
        </Button>
      }
    >
      <Results search={search} useFound={useFound} onTake={onTake} none={none} />
    </Popover>
  )
}

function Results({ search, useFound, onTake, none }: Omit<Props, 'label' | 'isMain'>) {
  const t = usePhrases('people')
  const [text, setText] = useState('')
  const found = useFound(text)
  return (
    <>
      <SearchInput label={search} value={text} onChange={setText} className="w-full" />
      <ul className="mt-2 max-h-64 overflow-y-auto">
        {found?.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              className="flex min-h-8 w-full items-center justify-between gap-3 rounded-[6px] px-2 text-left hover:bg-mute pointer-coarse:min-h-11"
              onClick={() => onTake(one)}
            >
              <span className="min-w-0 truncate">{one.label}</span>
              {one.hint && <span className="shrink-0 text-ink-3 text-xs">{one.hint}</span>}
            </button>
          </li>
        ))}
      </ul>
      {found?.length === 0 && <p className="px-2 py-3 text-ink-3">{(text === '' && none) || t('nobody')}</p>}
    </>
  )
}
