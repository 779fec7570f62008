/** A board of widgets, in display and edit mode. Nothing is stored until it is saved. */
import { dashboards, type Widget } from '@breakwater/contract/dashboard/dashboard.ts'
import { LayoutDashboard, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Empty } from '../../kit/Empty.tsx'
import { Failed, showFault } from '../../kit/faults.tsx'
import { append, without } from '../../kit/grid-layout.ts'
import { Menu, MenuItem, MenuLine } from '../../kit/Menu.tsx'
import { WidgetGrid } from '../../kit/WidgetGrid.tsx'
import { queryClient, queryOf } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { toasts } from '../../platform/toasts.ts'
import { useBoards } from './board.ts'
import { useWidgetKinds, WidgetBody } from './WidgetBody.tsx'

/** `name` is empty for the board on the first page. */
export function Board({ name }: { name: string }) {
  const t = usePhrases('statistics')
  const { call, widgets, save, isSaving } = useBoards()
  const [draft, setDraft] = useState<Widget[]>()
  const kinds = useWidgetKinds()
  if (call.isError && !widgets) return <Failed fault={call.error} retry={() => call.refetch()} />
  if (!widgets) return <div className="skeleton appear-late h-60" />
  const own = draft ?? widgets.filter(({ board }) => board === name)
  const nameOf = ({ kind, type }: Widget) =>
    kinds.find((one) => one.kind === kind && one.type === type)?.label ?? String(type)

  async function keep() {
    const others = widgets!.filter(({ board }) => board !== name)
    await save([...others, ...own]).then(() => {
      toasts.done(t('board.saved'))
      setDraft(undefined)
    }, showFault)
  }
  async function standard() {
    const { widgets: given } = await queryClient.fetchQuery(queryOf(dashboards.standard, {}))
    setDraft(given.map((widget) => ({ ...widget, id: `${name}${widget.id}`.slice(0, 40), board: name })))
  }
  const add = ({ kind, type }: { kind: Widget['kind']; type: number }) => {
    const size =
      kind === 'card' ? { w: 12, h: 1 } : kind === 'top' ? { w: 4, h: 4 } : { w: 6, h: kind === 'map' ? 4 : 3 }
    setDraft(append(own, { id: crypto.randomUUID(), kind, type, board: name, x: 0, y: 0, ...size }))
  }
  return (
    <section aria-label={name || t('dashboard.title')}>
      <div
        className={
          draft
            ? 'mb-2 flex min-h-8 flex-wrap items-center gap-2'
            : 'mb-2 text-right lg:absolute lg:top-0 lg:right-0 lg:flex lg:h-8 lg:items-center'
        }
      >
        {draft ? (
          <>
            <p className="mr-auto basis-60 text-ink-3 text-xs">{t('board.help')}</p>
            <Menu
              trigger={
                <Button>
                  <Plus size={14} aria-hidden />
                  {t('board.add')}
                </Button>
              }
            >
              {kinds.map((kind, i) => (
                <div key={`${kind.kind}-${kind.type}`}>
                  {i > 0 && kinds[i - 1]!.kind !== kind.kind && <MenuLine />}
                  <MenuItem onClick={() => add(kind)}>{kind.label}</MenuItem>
                </div>
              ))}
            </Menu>
            <Button onClick={() => void standard().catch(showFault)}>{t('board.default')}</Button>
            <Button onClick={() => setDraft(undefined)}>{t('rule.cancel')}</Button>
            <Button look="solid" busy={isSaving} onClick={() => void keep()}>
              {t('board.save')}
            </Button>
          </>
        ) : (
          <Button size="sm" look="ghost" onClick={() => setDraft([...own])}>
            <LayoutDashboard size={14} aria-hidden />
            {t('board.arrange')}
          </Button>
        )}
      </div>
      {own.length === 0 && (
        <div className="rounded-panel border border-line border-dashed py-12 text-center">
          <Empty title={t('board.empty')}>{t('board.emptyText')}</Empty>
        </div>
      )}
      <WidgetGrid
        cells={own}
        labelOf={nameOf}
        render={(widget) => <WidgetBody widget={widget} />}
        onChange={draft && setDraft}
        onRemove={(widget) => setDraft(without(own, widget.id))}
      />
    </section>
  )
}
