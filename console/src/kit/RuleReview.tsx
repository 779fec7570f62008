/** A review before several rules are changed: which ones, and how many requests they matched. */
import type { ReactNode } from 'react'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'
import { ReviewDialog, ReviewList } from './ReviewDialog.tsx'
import type { Bulk, RuleHits, RuleRow } from './rule-row.ts'

type Props<Rule> = {
  bulk: Bulk<Rule>
  sentence: (rule: Rule) => ReactNode
  hits: ReadonlyMap<number, RuleHits> | undefined
  removal: string
  set: (ids: number[], patch: Partial<Pick<RuleRow, 'enabled' | 'mode'>>) => Promise<unknown>
  remove: (ids: number[]) => Promise<unknown>
  onClose: () => void
}

const patches = {
  enforce: { mode: 'enforce' },
  observe: { mode: 'observe' },
  enable: { enabled: true },
  disable: { enabled: false },
} as const

export function RuleReview<Rule extends RuleRow>(props: Props<Rule>) {
  const { bulk, sentence, hits, set, onClose } = props
  const { does, rules, clear } = bulk
  const t = usePhrases('rules')
  const format = useFormat()
  const n = rules.length
  const met = rules.reduce((sum, { id }) => sum + (hits?.get(id)?.requests ?? 0), 0)
  async function apply() {
    const ids = rules.map(({ id }) => id)
    await (does === 'remove' ? props.remove(ids) : set(ids, patches[does]))
    toasts.done(t(does === 'remove' ? 'done.removed' : 'done.set'))
    clear()
    onClose()
  }
  const title = does === 'remove' ? t('remove.title', { n }) : t(`review.${does}`, { n })
  const labels = {
    enforce: t('enforceNow'),
    observe: t('mode.observe'),
    enable: t('enableMany'),
    disable: t('disableMany'),
    remove: t('remove.label'),
  }
  return (
    <ReviewDialog
      title={title}
      affected={
        <>
          {does === 'remove' && <p>{props.removal}</p>}
          {does === 'observe' && <p>{t('mode.help')}</p>}
          {hits && <p>{t('review.hits', { hits: format.number(met) })}</p>}
        </>
      }
      choices={[{ label: labels[does], act: apply, look: does === 'remove' ? 'danger' : 'solid' }]}
      onClose={onClose}
    >
      <ReviewList items={rules.map((rule) => ({ key: rule.id, text: sentence(rule) }))} />
    </ReviewDialog>
  )
}
