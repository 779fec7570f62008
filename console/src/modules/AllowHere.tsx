/** The narrowest exceptions for a request that the WAF blocked or logged, prefilled from its log row. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { logExplorer } from '@breakwater/contract/logs/explorer.ts'
import type { Module } from '@breakwater/contract/modules/module-family.ts'
import { type WafModule, waf } from '@breakwater/contract/modules/waf.ts'
import { exceptionFor, pathAlone, readWaf, targetOf } from '@breakwater/contract/modules/waf-exceptions.ts'
import { wafSimulation } from '@breakwater/contract/modules/waf-simulation.ts'
import { useState } from 'react'
import { Drawer } from '../kit/Dialog.tsx'
import { Empty } from '../kit/Empty.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { Failed } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'
import { AllowTrial } from './AllowTrial.tsx'
import { Allowing } from './allowing.ts'

type Props = { siteId: number; row: string; onClose: (module?: number) => void }

const manyMax = 500
const Field = fieldsOf(Allowing)
const month = 30 * 24 * 3600 * 1000

export function AllowHere({ siteId, row: id, onClose }: Props) {
  const t = usePhrases('modules')
  const row = useCall(logExplorer.row, { query: { id } })
  const bound = useCall(domains.list, {
    siteId,
    query: { page: 1, pageSize: manyMax, sortBy: 'name', orderBy: 'asc' },
  })
  const modules = useCall(waf.calls.list, { siteId, query: { page: 1, pageSize: manyMax } })
  const failed = [row, bound, modules].find(({ isError }) => isError)
  if (row.data && bound.data && modules.data && row.data.siteID === siteId) {
    const wanted = moduleOf(row.data.domainName, bound.data.data)
    const module = modules.data.data.find(({ id }) => id === wanted)
    if (module) return <AllowForm siteId={siteId} row={row.data} module={module} onClose={onClose} />
  }
  const isGone = (row.data && bound.data && modules.data) || row.error?.status === 403 || row.error?.status === 400
  return (
    <Drawer title={t('waf.allow')} onClose={() => onClose()}>
      {isGone ? (
        <Empty title={t('waf.allow.none')}>{t('waf.allow.noneText')}</Empty>
      ) : failed?.error ? (
        <Failed fault={failed.error} retry={() => failed.refetch()} />
      ) : (
        <div className="skeleton appear-late h-60" />
      )}
    </Drawer>
  )
}

type Bound = { name: string; modules: Record<string, number> }

/**
 * Returns the module bound to a host's domain: the exact name or the closest wildcard. For the preview host, the module
 * that all domains share, if they do.
 */
function moduleOf(host: string, rows: readonly Bound[]): number | undefined {
  const exact = rows.find(({ name }) => name === host)
  const wildcards = rows.filter(({ name }) => name.startsWith('*.') && host.endsWith(name.slice(1)))
  const domain = exact ?? wildcards.sort((a, b) => b.name.length - a.name.length)[0]
  if (domain) return domain.modules.waf
  const all = new Set(rows.map(({ modules }) => modules.waf).filter((id) => id))
  return all.size === 1 ? [...all][0] : undefined
}

type FormProps = { siteId: number; row: AccessLogRow; module: Module; onClose: Props['onClose'] }

function AllowForm({ siteId, row, module, onClose }: FormProps) {
  const t = usePhrases('modules')
  const add = useChange(wafSimulation.exclude, waf.calls.items, waf.calls.list)
  const { matches } = readWaf(row.waf)
  const path = row.url.split('?')[0] ?? ''
  const itemsOf = ({ matches: chosen, ...said }: Allowing) =>
    matches
      .filter(({ text }) => chosen.includes(text))
      .map((match) => ({
        name: `${match.ruleID} ${match.where}`,
        ...exceptionFor(match, { path, method: row.method }),
        ...said,
      }))
  const [expiresAt] = useState(() => new Date(Date.now() + month).toISOString())
  const form = useResourceForm(Allowing, {
    values: { matches: matches.map(({ text }) => text), urlRegex: pathAlone(path), memo: '', expiresAt },
    save: (said) => add.mutateAsync({ siteId, moduleId: module.id, body: { row: row.id, items: itemsOf(said) } }),
    onSaved({ provedBy }) {
      toasts.done(t(`waf.allow.proved.${provedBy}`))
      onClose(module.id)
    },
    fieldOf: (field) => (field === 'items' ? 'matches' : field.replace(/^items\.\d+\./, '')),
  })
  return (
    <FormDrawer form={form} title={t('waf.allow')} saveLabel={t('waf.allow')} onClose={() => onClose()}>
      <p className="mb-4 text-ink-2 [overflow-wrap:anywhere]">
        {t('waf.allow.help', { module: module.name, request: `${row.method} ${path}` })}{' '}
        {module.domainCount > 1 && t('review.affected', { n: module.domainCount })}
      </p>
      <Field.Many
        name="matches"
        label={t('waf.allow.matches')}
        help={t('waf.allow.matchesHelp')}
        options={matches.map((match) => ({
          value: match.text,
          label: `${match.ruleID} ${targetOf(match) || t('waf.allow.everyValue')} +${match.score}`,
        }))}
      />
      <Field.Text name="urlRegex" label={t('redirect.urlRegex')} mono />
      <Field.Memo name="memo" label={t('waf.reason')} />
      <Field.Moment name="expiresAt" label={t('waf.expiresAt')} />
      <AllowTrial
        siteId={siteId}
        row={row}
        module={module as unknown as WafModule & { id: number }}
        path={path}
        itemsOf={itemsOf}
      />
    </FormDrawer>
  )
}
