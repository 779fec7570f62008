/** The actions on the selected domains. */
import { bulkDomains, domainChecks } from '@breakwater/contract/domains/bulk.ts'
import { originOf } from '@breakwater/contract/domains/domain-csv.ts'
import { balances, type Domain, domains, UpstreamInputs } from '@breakwater/contract/domains/domains.ts'
import { OriginHost } from '@breakwater/contract/domains/origin-host.ts'
import { Tags } from '@breakwater/contract/sites/site-tags.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { z } from 'zod'
import { BulkByIds } from '../kit/BulkConfirm.tsx'
import { BulkForm } from '../kit/BulkForm.tsx'
import { Button } from '../kit/Button.tsx'
import type { RunBatches } from '../kit/batches.ts'
import { showFault } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { formatOrigin } from '../pickers/origin-address.ts'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'

const TagsForm = z.object({ tags: Tags(20) })
const TagsField = fieldsOf(TagsForm)
/** One origin per line, in the format of an export. */
const OriginsForm = z.object({
  upstreams: z
    .array(z.string())
    .min(1, 'required')
    .refine((lines) => UpstreamInputs.safeParse(lines.map(originOf)).success, 'wrongFormat'),
})
const OriginsField = fieldsOf(OriginsForm)
const MoveForm = z.object({ fromIP: OriginHost, toIP: OriginHost })
const MoveField = fieldsOf(MoveForm)
const BalanceForm = z.object({ balance: z.literal(Object.values(balances)) })
const BalanceField = fieldsOf(BalanceForm)
const CopyForm = z.object({ siteID: z.number('required').int().positive('required') })
const CopyField = fieldsOf(CopyForm)

/** The most addresses that one call looks up. */
const checkedAtOnce = 100

type Props = { siteId: number; rows: Domain[]; clear: () => void; run: RunBatches<Domain> }

export function DomainActions(props: Props) {
  const { siteId, rows, clear, run } = props
  const t = usePhrases('domains')
  const n = rows.length
  const remove = useChange(domains.remove, domains.list)
  const check = useChange(domainChecks.checkCNAME, domains.list)
  async function checkAll() {
    const act = (batch: Domain[]) => check.mutateAsync({ siteId, body: { ids: idsOf(batch) } })
    if (await run(rows, act, checkedAtOnce)) clear()
  }
  return (
    <>
      <StatusActions {...props} />
      <SettingForms {...props} />
      <Button size="sm" onClick={() => void checkAll()}>
        {t('bulk.check')}
      </Button>
      <Button
        size="sm"
        onClick={() => send(bulkDomains.exportCsv, { siteId, body: { ids: idsOf(rows) } }).catch(showFault)}
      >
        {t('export')}
      </Button>
      <BulkByIds
        rows={rows}
        clear={clear}
        run={run}
        label={t('remove.title', { n }).replace(/[?？]$/, '')}
        title={t('remove.title', { n })}
        consequence={t('remove.text')}
        rowName={({ name }) => <span className="mono">{name}</span>}
        act={(ids) => remove.mutateAsync({ siteId, body: { ids } })}
        done={t('removed')}
      />
    </>
  )
}

const idsOf = (rows: readonly Domain[]) => rows.map(({ id }) => id)

function StatusActions({ siteId, rows, clear, run }: Props) {
  const t = usePhrases('domains')
  const change = useChange(bulkDomains.setStatus, domains.list)
  const on = rows.filter(({ status }) => status === 1)
  const off = rows.filter(({ status }) => status !== 1)
  const act = (ids: number[], status: 0 | 1) => change.mutateAsync({ siteId, body: { ids, status } })
  async function enable() {
    if (!(await run(off, (batch) => act(idsOf(batch), 1)))) return
    toasts.done(t('bulk.saved'))
    clear()
  }
  return (
    <>
      {off.length > 0 && (
        <Button size="sm" onClick={() => void enable()}>
          {t('bulk.enable')}
        </Button>
      )}
      {on.length > 0 && (
        <BulkByIds
          look="line"
          rows={on}
          rowName={({ name }) => <span className="mono">{name}</span>}
          clear={clear}
          run={run}
          label={t('bulk.disable')}
          title={t('bulk.disable.title', { n: on.length })}
          consequence={t('bulk.disable.text')}
          act={(ids) => act(ids, 0)}
          done={t('bulk.saved')}
        />
      )}
    </>
  )
}

function SettingForms({ siteId, rows, clear }: Props) {
  const t = usePhrases('domains')
  const n = rows.length
  const ids = idsOf(rows)
  const [first] = rows
  const tag = useChange(bulkDomains.setTags, domains.list)
  const replace = useChange(bulkDomains.setUpstreams, domains.list)
  const move = useChange(bulkDomains.modifyUpstreamIPs, domains.list)
  const balance = useChange(bulkDomains.setBalance, domains.list)
  const shared = { clear, done: t('bulk.saved') }
  return (
    <>
      <BulkForm
        {...shared}
        done={t('bulk.tags.done')}
        label={t('bulk.tags')}
        title={t('bulk.tags.title', { n })}
        schema={TagsForm}
        values={{ tags: (first?.tags ?? []).filter((one) => rows.every(({ tags }) => tags.includes(one))) }}
        act={({ tags }) => tag.mutateAsync({ siteId, body: { ids, tags } })}
      >
        <TagsField.Tags name="tags" label={t('tags')} help={t('bulk.tags.help')} max={20} />
      </BulkForm>
      <BulkForm
        {...shared}
        label={t('bulk.origins')}
        title={t('bulk.origins.title', { n })}
        schema={OriginsForm}
        values={{ upstreams: first?.upstreams.map(formatOrigin) ?? [] }}
        act={({ upstreams }) =>
          replace.mutateAsync({ siteId, body: { ids, upstreams: UpstreamInputs.parse(upstreams.map(originOf)) } })
        }
        fieldOf={(field) => (field.startsWith('upstreams') ? 'upstreams' : field)}
      >
        <OriginsField.Lines name="upstreams" label={t('origins')} help={t('bulk.origins.help')} max={50} />
      </BulkForm>
      <BulkForm
        {...shared}
        label={t('bulk.move')}
        title={t('bulk.move.title', { n })}
        schema={MoveForm}
        values={{ fromIP: first?.upstreams[0]?.ip ?? '', toIP: '' }}
        act={(body) => move.mutateAsync({ siteId, body: { ids, ...body } })}
      >
        <MoveField.Text name="fromIP" label={t('bulk.move.from')} mono />
        <MoveField.Text name="toIP" label={t('bulk.move.to')} mono autoFocus />
      </BulkForm>
      <BulkForm
        {...shared}
        label={t('bulk.balance')}
        title={t('bulk.balance.title', { n })}
        schema={BalanceForm}
        values={{ balance: (first?.balance ?? 1) as 1 }}
        act={(body) => balance.mutateAsync({ siteId, body: { ids, ...body } })}
      >
        <BalanceField.Select
          name="balance"
          label={t('bulk.balance')}
          options={Object.values(balances).map((value) => ({ value, label: t(`balance.${value}`) }))}
        />
      </BulkForm>
      <CopyAction siteId={siteId} ids={ids} clear={clear} />
    </>
  )
}

function CopyAction({ siteId, ids, clear }: { siteId: number; ids: number[]; clear: () => void }) {
  const t = usePhrases('domains')
  const copy = useChange(bulkDomains.copyToSite, domains.list)
  const others = (useCall(sites.meta, {}).data?.data ?? []).filter(({ siteID }) => siteID !== siteId)
  if (others.length === 0) return null
  return (
    <BulkForm
      label={t('bulk.copy')}
      title={t('bulk.copy.title', { n: ids.length })}
      schema={CopyForm}
      values={{ siteID: others[0]!.siteID }}
      act={({ siteID }) => copy.mutateAsync({ siteId, body: { ids, siteID } })}
      done={t('bulk.copy.done')}
      clear={clear}
    >
      <CopyField.Select
        name="siteID"
        label={t('bulk.copy.site')}
        help={t('bulk.copy.help')}
        options={others.map(({ siteID, siteName }) => ({ value: siteID, label: siteName }))}
      />
    </BulkForm>
  )
}
