/** Columns that every kind of rule has: values that a screen puts in its list, no base that it obeys. */
import type { RuleMeta, StoredRule } from '@breakwater/contract/rule-list.ts'
import type { Format } from '../app/format.ts'
import type { Say } from '../app/phrases.ts'
import type { Column } from '../kit/ResourceTable.tsx'
import { Badge } from '../kit/Status.tsx'
import { Switch } from '../kit/Toggle.tsx'

type Rule = StoredRule<RuleMeta>
type T = Say<'firewall'>

/** What the rule does, with observe in sight: a list never hides that a rule refuses nothing. */
export function actionColumn<R extends Rule>(t: T, action: (rule: R) => string): Column<R> {
  return {
    key: 'action',
    title: t('action'),
    render: (rule) => (
      <span className="inline-flex items-center gap-1.5">
        {rule.mode === 'observe' && <Badge tone="warn">{t('mode.observe')}</Badge>}
        {action(rule)}
      </span>
    ),
  }
}

export function memoColumn<R extends Rule>(t: T): Column<R> {
  return {
    key: 'memo',
    title: t('memo'),
    render: ({ memo }) => memo && <span className="block max-w-[220px] truncate text-ink-2">{memo}</span>,
  }
}

export function expiryColumn<R extends Rule>(t: T, format: Format): Column<R> {
  return {
    key: 'expiresAt',
    title: t('expires'),
    render: ({ expiresAt }) =>
      expiresAt === null ? (
        ''
      ) : new Date(expiresAt) < new Date() ? (
        <Badge tone="mute">{t('expired')}</Badge>
      ) : (
        <span className="num">{format.moment(expiresAt)}</span>
      ),
  }
}

export function changedColumn<R extends Rule>(t: T, format: Format): Column<R> {
  return {
    key: 'updatedAt',
    title: t('changed'),
    render: ({ updatedAt, createdBy }) => (
      <span className="text-ink-3" title={createdBy}>
        {format.ago(updatedAt)}
      </span>
    ),
  }
}

export function enabledColumn<R extends Rule>(
  t: T,
  change: ((rule: R, enabled: boolean) => void) | undefined,
): Column<R> {
  return {
    key: 'enabled',
    title: t('enabled'),
    render: (rule) => (
      <Switch
        aria-label={t('enable')}
        checked={rule.enabled}
        disabled={change === undefined}
        onCheckedChange={(enabled) => change?.(rule, enabled)}
      />
    ),
  }
}
