/** The columns of a `RuleTable`. */
import { ChevronDown, ChevronUp, Eye, GripVertical, MoreHorizontal, Pencil, ShieldCheck, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Format } from '../platform/format.ts'
import type { Say } from '../platform/phrases.ts'
import { IconButton } from './Button.tsx'
import { Marked } from './Marked.tsx'
import { Menu, MenuItem, MenuLine } from './Menu.tsx'
import { RuleHitsCell } from './RuleHitsCell.tsx'
import type { Bulk, RuleHits, RuleRow, RuleWords } from './rule-row.ts'
import { Badge } from './Status.tsx'
import { Switch } from './Toggle.tsx'
import type { Column } from './table-column.ts'
import type { RuleOrder } from './useRuleOrder.ts'

type Parts<Rule> = {
  t: Say<'rules'>
  format: Format
  words: (rule: Rule) => RuleWords
  /** The sentence without marks. */
  name: (rule: Rule) => string
  onOpen: (rule: Rule) => void
  order: RuleOrder
  hits: ReadonlyMap<number, RuleHits> | null | undefined
  hitsAt: ((rule: Rule) => object) | undefined
  hasMode: boolean
  extra: readonly Column<Rule>[]
  enable: ((rule: Rule, enabled: boolean) => void) | undefined
  ask: ((does: Bulk<Rule>['does'], rule: Rule) => void) | undefined
}

export function ruleColumns<Rule extends RuleRow>(parts: Parts<Rule>): Column<Rule>[] {
  const { t, format, words, name, order, hits, hasMode, enable } = parts
  return [
    {
      key: 'rule',
      title: t('rule'),
      render: (rule) => (
        <div className="flex items-start gap-1.5 py-2 sm:min-w-[240px]">
          {order.placeOf(rule.id) !== undefined && <Grip place={order.placeOf(rule.id)!} id={rule.id} t={t} />}
          <div className="min-w-0">
            <button
              type="button"
              onClick={() => parts.onOpen(rule)}
              className={`max-w-[520px] whitespace-normal text-left underline-offset-4 hover:text-accent hover:underline max-sm:max-w-full ${rule.memo ? 'text-ink-2' : ''}`}
            >
              {rule.memo && (
                <span className="block truncate font-medium text-ink contain-inline-size">{rule.memo}</span>
              )}
              <span className="text-ink-3">{t('when')}</span>
              <Marked text={words(rule).when} />
            </button>
          </div>
        </div>
      ),
    },
    {
      key: 'action',
      title: t('does'),
      render: (rule) => (
        <span className="inline-flex items-center gap-1.5 whitespace-normal sm:min-w-[150px]">
          {hasMode && rule.mode === 'observe' && <Badge tone="warn">{t('mode.observe')}</Badge>}
          <span>
            <Marked text={words(rule).does} />
          </span>
        </span>
      ),
    },
    ...parts.extra,
    ...(hits !== undefined
      ? [
          {
            key: 'hits',
            title: t('hits'),
            end: true,
            render: (rule: Rule) => <RuleHitsCell hits={hits?.get(rule.id)} at={parts.hitsAt?.(rule)} />,
          },
        ]
      : []),
    // Rules without a mode cannot expire in the editor either.
    ...(hasMode
      ? [
          {
            key: 'expiresAt',
            title: t('expires'),
            render: (rule: Rule) => <Expiry rule={rule} t={t} format={format} />,
          },
        ]
      : []),
    {
      key: 'updatedAt',
      title: t('changed'),
      render: ({ updatedAt, createdBy }) => (
        <span className="text-ink-3" title={createdBy}>
          {format.ago(updatedAt)}
        </span>
      ),
    },
    {
      key: 'enabled',
      title: t('enabled'),
      render: (rule) => (
        <Switch
          aria-label={t('enable')}
          checked={rule.enabled}
          disabled={enable === undefined}
          onCheckedChange={(enabled) => enable?.(rule, enabled)}
        />
      ),
    },
    ...(parts.ask
      ? [{ key: 'more', title: parts.t('actions'), end: true, render: (rule: Rule) => more(rule, parts, name(rule)) }]
      : []),
  ]
}

function Grip({ place, id, t }: { place: number; id: number; t: Say<'rules'> }) {
  return (
    <button
      type="button"
      draggable
      data-rule={id}
      aria-label={t('place', { n: place + 1 })}
      title={t('place', { n: place + 1 })}
      className="num inline-flex h-6 min-w-8 cursor-grab items-center justify-end rounded-[5px] text-ink-3 hover:bg-mute hover:text-ink active:cursor-grabbing"
    >
      {place + 1}
      <GripVertical size={14} aria-hidden />
    </button>
  )
}

function Expiry({ rule: { expiresAt }, t, format }: { rule: RuleRow; t: Say<'rules'>; format: Format }): ReactNode {
  if (expiresAt === null) return null
  if (new Date(expiresAt) < new Date()) return <Badge tone="mute">{t('expired')}</Badge>
  return <span className="num">{format.moment(expiresAt)}</span>
}

function more<Rule extends RuleRow>(rule: Rule, parts: Parts<Rule>, name: string): ReactNode {
  const { t, order, hasMode, ask, onOpen } = parts
  const isObserving = rule.mode === 'observe'
  const at = order.placeOf(rule.id)
  return (
    <Menu
      trigger={
        <IconButton size="iconSm" label={t('more', { name })}>
          <MoreHorizontal size={15} aria-hidden />
        </IconButton>
      }
    >
      <MenuItem onClick={() => onOpen(rule)}>
        <Pencil size={14} aria-hidden />
        {t('edit')}
      </MenuItem>
      {hasMode && (
        <MenuItem onClick={() => ask?.(isObserving ? 'enforce' : 'observe', rule)}>
          {isObserving ? <ShieldCheck size={14} aria-hidden /> : <Eye size={14} aria-hidden />}
          {t(isObserving ? 'mode.enforce' : 'mode.observe')}
        </MenuItem>
      )}
      {at !== undefined && at > 0 && (
        <MenuItem onClick={() => order.move(rule.id, at - 1)}>
          <ChevronUp size={14} aria-hidden />
          {t('moveUp')}
        </MenuItem>
      )}
      {at !== undefined && at < order.total - 1 && (
        <MenuItem onClick={() => order.move(rule.id, at + 1)}>
          <ChevronDown size={14} aria-hidden />
          {t('moveDown')}
        </MenuItem>
      )}
      <MenuLine />
      <MenuItem danger onClick={() => ask?.('remove', rule)}>
        <Trash2 size={14} aria-hidden />
        {t('remove.label')}
      </MenuItem>
    </Menu>
  )
}
