/** Columns and fields that every kind of rule has: values that a screen puts in its list, no base that it obeys. */
import { RuleMeta, type StoredRule } from '@breakwater/contract/rule-list.ts'
import type { Format } from '../app/format.ts'
import { type Say, usePhrases } from '../app/phrases.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
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

const Field = fieldsOf(RuleMeta)

/** The fields of what every rule has. */
export function RuleMetaFields() {
  const t = usePhrases('firewall')
  const modes = [
    { value: 'enforce', label: t('mode.enforce') },
    { value: 'observe', label: t('mode.observe') },
  ]
  return (
    <>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Select name="mode" label={t('mode')} help={t('mode.help')} options={modes} />
        <Field.Moment name="expiresAt" label={t('expires')} help={t('expires.help')} />
      </div>
      <Field.Memo name="memo" label={t('memo')} />
      <Field.Switch name="enabled" label={t('enabled')} />
    </>
  )
}
