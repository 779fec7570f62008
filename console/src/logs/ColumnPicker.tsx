/** Selects the columns of the log. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { Popover } from '../kit/Overlay.tsx'
import type { Column } from '../kit/ResourceTable.tsx'
import { Checkbox } from '../kit/Toggle.tsx'
import { usePhrases } from '../platform/phrases.ts'

type Props = {
  all: readonly Column<AccessLogRow>[]
  shown: readonly string[]
  /** An empty list returns to the default. */
  onChange: (keys: string[]) => void
}

export function ColumnPicker({ all, shown, onChange }: Props) {
  const t = usePhrases('logs')
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      align="end"
      label={t('columns.title')}
      className="max-h-[60dvh] w-[240px] overflow-y-auto p-2"
      trigger={
        <Button>
          <Columns3 size={14} aria-hidden />
          <span className="max-sm:sr-only">{t('columns.title')}</span>
        </Button>
      }
    >
      {all.map(({ key, title }) => (
        // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox inside is the control
        <label
          key={key}
          className="flex min-h-8 items-center gap-2 rounded-[6px] px-2 hover:bg-sunken pointer-coarse:min-h-11"
        >
          <Checkbox
            checked={shown.includes(key)}
            disabled={shown.length === 1 && shown.includes(key)}
            onCheckedChange={(on) =>
              onChange(
                all
                  .filter((column) => (column.key === key ? on : shown.includes(column.key)))
                  .map((column) => column.key),
              )
            }
          />
          {title}
        </label>
      ))}
      <Button size="sm" look="ghost" className="mt-1 w-full" onClick={() => onChange([])}>
        {t('columns.usual')}
      </Button>
    </Popover>
  )
}
