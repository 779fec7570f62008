/** The operator's actions on the selected sites. */
import { products } from '@breakwater/contract/products/products.ts'
import { operatorSites } from '@breakwater/contract/sites/operator-sites.ts'
import { type OperatorSite, sites } from '@breakwater/contract/sites/sites.ts'
import { z } from 'zod'
import { BulkConfirm } from '../kit/BulkConfirm.tsx'
import { BulkForm } from '../kit/BulkForm.tsx'
import { Button } from '../kit/Button.tsx'
import type { RunBatches } from '../kit/batches.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { LimitationFields, limitationShape, limitationsOf, limitationValues } from '../pickers/LimitationFields.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { SiteTagsAction } from './SiteTagsAction.tsx'

const Expiry = z.object({ expired: z.string().nullable() })
const ExpiryField = fieldsOf(Expiry)
const Limits = z.object(limitationShape)
const Move = z.object({ productID: z.number('required').int().positive('required') })
const MoveField = fieldsOf(Move)
const Backup = z.object({ forceBackup: z.boolean() })
const BackupField = fieldsOf(Backup)

type Props = { rows: OperatorSite[]; clear: () => void; run: RunBatches<OperatorSite> }

export function OperatorActions({ rows, clear, run }: Props) {
  const may = useMay()
  const shared = { rows, rowKey: ({ siteID }: OperatorSite) => siteID, rowName: nameWithCustomer, clear, run }
  return (
    <>
      {may('sites.write') && (
        <>
          <StatusActions {...shared} />
          <SettingActions rows={rows} clear={clear} />
          <SiteTagsAction rows={rows} clear={clear} />
        </>
      )}
      <Destroying {...shared} />
    </>
  )
}

const nameWithCustomer = ({ siteName, user }: OperatorSite) => `${siteName} (${user.name})`
const idsOf = (rows: readonly OperatorSite[]) => rows.map(({ siteID }) => siteID)

type Shared = Props & { rowKey: (row: OperatorSite) => number; rowName: (row: OperatorSite) => string }

function StatusActions(shared: Shared) {
  const t = usePhrases('sites')
  const change = useChange(operatorSites.setStatus, sites.listAll)
  const act = (status: 0 | 1) => (batch: OperatorSite[]) =>
    change.mutateAsync({ body: { siteIDs: idsOf(batch), status } })
  const { rows, run, clear } = shared
  const resuming = rows.filter(({ status }) => status !== 1)
  const pausing = rows.filter(({ status }) => status === 1)
  async function resume() {
    if (!(await run(resuming, act(1)))) return
    toasts.done(t('op.saved'))
    clear()
  }
  return (
    <>
      {pausing.length > 0 && (
        <BulkConfirm
          {...shared}
          rows={pausing}
          label={t('op.pause')}
          title={t('op.pause.title', { n: pausing.length })}
          consequence={t('op.pause.text')}
          act={act(0)}
          done={t('op.saved')}
        />
      )}
      {resuming.length > 0 && (
        <Button size="sm" onClick={() => void resume()}>
          {t('op.resume')}
        </Button>
      )}
    </>
  )
}

function SettingActions({ rows, clear }: Omit<Props, 'run'>) {
  const t = usePhrases('sites')
  const n = rows.length
  const [first] = rows
  const siteIDs = idsOf(rows)
  const expire = useChange(operatorSites.setExpired, sites.listAll)
  const limit = useChange(operatorSites.setLimitations, sites.listAll)
  const move = useChange(operatorSites.changeProduct, sites.listAll)
  const backup = useChange(operatorSites.setForceBackup, sites.listAll)
  const known = useCall(products.meta, {}).data?.data ?? []
  const shared = { clear, done: t('op.saved') }
  return (
    <>
      <BulkForm
        {...shared}
        label={t('op.expiry')}
        title={t('op.expiry.title', { n })}
        schema={Expiry}
        values={{ expired: first?.expired ?? null }}
        act={({ expired }) => expire.mutateAsync({ body: { siteIDs, expired } })}
      >
        <ExpiryField.Moment name="expired" label={t('expires')} help={t('op.expiry.help')} />
      </BulkForm>
      <BulkForm
        {...shared}
        label={t('limits')}
        title={t('op.limits.title', { n })}
        schema={Limits}
        values={limitationValues(first?.limitations ?? { domains: 0, ports: 0, trafficBytes: 0 })}
        act={(values) => limit.mutateAsync({ body: { siteIDs, limitations: limitationsOf(values) } })}
        fieldOf={(field) => field.replace('limitations.', '')}
      >
        <p className="mb-3 text-ink-3 text-xs">{t('limits.help')}</p>
        <LimitationFields />
      </BulkForm>
      <BulkForm
        {...shared}
        label={t('op.product')}
        title={t('op.product.title', { n })}
        schema={Move}
        values={{ productID: first?.productID ?? 0 }}
        act={({ productID }) => move.mutateAsync({ body: { siteIDs, productID } })}
      >
        <MoveField.Select
          name="productID"
          label={t('product')}
          help={t('op.product.help')}
          options={known.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </BulkForm>
      <BulkForm
        {...shared}
        label={t('op.backup')}
        title={t('op.backup.title', { n })}
        schema={Backup}
        values={{ forceBackup: first?.forceBackup ?? false }}
        act={({ forceBackup }) => backup.mutateAsync({ body: { siteIDs, forceBackup } })}
      >
        <BackupField.Switch name="forceBackup" label={t('op.backup.force')} help={t('op.backup.help')} />
      </BulkForm>
    </>
  )
}

function Destroying(shared: Shared) {
  const t = usePhrases('sites')
  const may = useMay()
  const n = shared.rows.length
  const refresh = useChange(operatorSites.refreshProduct, sites.listAll)
  const clearCache = useChange(operatorSites.clearCache)
  const remove = useChange(operatorSites.remove, sites.listAll, sites.meta)
  const of = (batch: OperatorSite[]) => ({ body: { siteIDs: idsOf(batch) } })
  return (
    <>
      {may('sites.write') && (
        <BulkConfirm
          {...shared}
          look="line"
          label={t('op.refresh')}
          title={t('op.refresh.title', { n })}
          consequence={t('op.refresh.text')}
          act={(batch) => refresh.mutateAsync(of(batch))}
          done={t('op.saved')}
        />
      )}
      {may('cache.purge') && (
        <BulkConfirm
          {...shared}
          look="line"
          label={t('op.clear')}
          title={t('op.clear.title', { n })}
          consequence={t('op.clear.text')}
          act={(batch) => clearCache.mutateAsync(of(batch))}
          done={t('op.cleared')}
        />
      )}
      {may('sites.remove') && (
        <BulkConfirm
          {...shared}
          label={t('remove.many', { n })}
          title={t('remove.manyTitle', { n })}
          consequence={t('op.remove.text')}
          act={(batch) => remove.mutateAsync(of(batch))}
          done={t('removed')}
          typed={n === 1 ? shared.rows[0]!.siteName : String(n)}
        />
      )}
    </>
  )
}
