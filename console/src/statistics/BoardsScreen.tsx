/** The user's own dashboards: boards of widgets that share one range and one filter. */
import { Plus } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Input } from '../kit/Input.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Tabs } from '../kit/Tabs.tsx'
import { Board } from '../pickers/statistics/Board.tsx'
import { useBoards } from '../pickers/statistics/board.ts'
import { ViewControls, ViewFilters } from '../pickers/statistics/ViewBar.tsx'
import { useView, ViewProvider, viewSearch } from '../pickers/statistics/view.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useSearchState } from '../platform/search-state.ts'
import { TimeZoneContext } from '../platform/time-zone.ts'

/** The router parses a name of digits in the URL as a number. */
const BoardName = z.union([z.string(), z.number().transform(String)]).pipe(z.string().max(40))
/** One hour by default, as on the statistics page. */
const Search = viewSearch('1h').extend({ board: BoardName.catch('') })

export function BoardsScreen() {
  const t = usePhrases('statistics')
  const [state, go] = useSearchState(Search)
  const view = useView(state, go)
  const { widgets, save } = useBoards()
  const [isNaming, setNaming] = useState(false)
  const { board } = state
  // A new board has no widgets yet: only the URL has its name.
  const names = [...new Set(['', ...(widgets ?? []).map((widget) => widget.board), board])]
  return (
    <TimeZoneContext value={state.tz}>
      <ViewProvider value={view}>
        <PageHead title={t('boards.title')} help={t('boards.help')}>
          <ViewControls state={state} go={go} />
        </PageHead>
        <div className="flex items-center gap-2">
          <div className="min-w-0 flex-1">
            <Tabs
              label={t('boards.title')}
              param="board"
              value={board}
              options={names.map((name) => ({ value: name, label: name || t('dashboard.title') }))}
            />
          </div>
          <Button size="sm" className="mb-3" onClick={() => setNaming(true)}>
            <Plus size={13} aria-hidden />
            {t('boards.new')}
          </Button>
          {board !== '' && (
            <span className="mb-3">
              <ConfirmButton
                size="sm"
                label={t('boards.remove')}
                title={t('boards.removeTitle', { name: board })}
                consequence={t('boards.removeText')}
                confirmLabel={t('boards.remove')}
                onConfirm={async () => {
                  await save((widgets ?? []).filter((widget) => widget.board !== board))
                  go({ board: '' })
                }}
              />
            </span>
          )}
        </div>
        <div className="relative">
          <ViewFilters state={state} go={go} />
          <Board key={board} name={board} />
        </div>
        {isNaming && (
          <NameDialog
            taken={names}
            onName={(name) => {
              setNaming(false)
              go({ board: name })
            }}
            onClose={() => setNaming(false)}
          />
        )}
      </ViewProvider>
    </TimeZoneContext>
  )
}

type NameProps = { taken: readonly string[]; onName: (name: string) => void; onClose: () => void }

function NameDialog({ taken, onName, onClose }: NameProps) {
  const t = usePhrases('statistics')
  const [text, setText] = useState('')
  const id = useId()
  const name = text.trim()
  const isTaken = name !== '' && taken.includes(name)
  function submit(event: FormEvent) {
    event.preventDefault()
    if (name && !isTaken) onName(name)
  }
  return (
    <Dialog
      title={t('boards.new')}
      onClose={onClose}
      footer={
        <Button look="solid" type="submit" form={id} disabled={!name || isTaken}>
          {t('boards.make')}
        </Button>
      }
    >
      <form id={id} onSubmit={submit}>
        <label htmlFor={`${id}-name`} className="mb-1 block font-medium">
          {t('boards.name')}
        </label>
        <Input
          id={`${id}-name`}
          value={text}
          maxLength={40}
          aria-invalid={isTaken || undefined}
          aria-describedby={isTaken ? `${id}-taken` : undefined}
          onChange={(event) => setText(event.target.value)}
        />
        {isTaken && (
          <p id={`${id}-taken`} className="mt-1 text-bad text-xs">
            {t('boards.taken')}
          </p>
        )}
      </form>
    </Dialog>
  )
}
