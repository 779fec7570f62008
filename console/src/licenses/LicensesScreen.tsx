/** Online licences: drafted, issued, revoked (screen `licenses`). */
import { type License, licenses } from '@breakwater/contract/licenses/licenses.ts'
import { useState } from 'react'
import { send } from '../app/browser.ts'
import { useCall, useChange } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { useMay } from '../app/session.ts'
import { BulkConfirm } from '../kit/BulkConfirm.tsx'
import { Button } from '../kit/Button.tsx'
import type { RunBatches } from '../kit/batches.ts'
import { Empty } from '../kit/Empty.tsx'
import { showFault } from '../kit/faults.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { toasts } from '../kit/toasts.ts'
import { KeyDialog } from './KeyDialog.tsx'
import { LicenseDrawer } from './LicenseDrawer.tsx'
import { LicenseFilters, LicenseSearch, queryOf, unfiltered } from './LicenseFilters.tsx'
import { licenseColumns, nameWithHolder } from './license-columns.tsx'
import { bodyOf, type LicenseForm } from './license-form.ts'
import { OrderDrawer } from './OrderDrawer.tsx'
import { useOperators } from './use-operators.ts'

export function LicensesScreen() {
  const t = usePhrases('licenses')
  const format = useFormat()
  const mayWrite = useMay()('licenses.write')
  const [state, go] = useListState('licences', LicenseSearch)
  const [shown, setShown] = useState<{ name: string; key: string }>()
  const [booking, setBooking] = useState<{ id: number; name: string }>()
  const call = useCall(licenses.list, { query: queryOf(state) })
  const operators = useOperators(mayWrite)
  const create = useChange(licenses.create, licenses.list)
  const update = useChange(licenses.update, licenses.list)
  const issue = useChange(licenses.issue, licenses.list, licenses.order)
  const opened = call.data?.data.find(({ id }) => id === state.edit)
  const close = () => go({ edit: undefined })

  async function save(form: LicenseForm) {
    const { installation: _, userID, ...body } = bodyOf(form)
    if (opened) await update.mutateAsync({ body: { ...body, id: opened.id } })
    else await create.mutateAsync({ body: { ...body, userID } })
  }
  function sign({ id, userID, name }: License) {
    if (userID === null) return
    issue.mutate(
      { body: { id, userID } },
      {
        onError: showFault,
        onSuccess: ({ key }) => {
          toasts.done(t('issuedToast'))
          setShown({ name, key })
        },
      },
    )
  }
  const columns: Column<License>[] = [
    ...licenseColumns<License>(t, format, ({ id }) => go({ edit: id })),
    {
      key: 'actions',
      title: '',
      end: true,
      render: (row) => (
        <span className="inline-flex gap-1.5">
          {row.key && (
            <Button size="sm" onClick={() => setShown({ name: row.name, key: row.key! })}>
              {t('showKey')}
            </Button>
          )}
          {mayWrite && row.userID !== null && row.status !== 'revoked' && (
            <>
              <Button size="sm" onClick={() => setBooking({ id: row.userID!, name: row.userName })}>
                {t('order')}
              </Button>
              <Button size="sm" onClick={() => sign(row)}>
                {t(row.key ? 'issue.again' : 'issue')}
              </Button>
            </>
          )}
        </span>
      ),
    },
  ]
  const add = mayWrite && (
    <Button look="solid" disabled={operators.length === 0} onClick={() => go({ edit: 'new' })}>
      {t('add')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('title')} help={t('help')}>
        {add}
      </PageHead>
      <LicenseFilters state={state} go={go} />
      <ResourceTable
        label={t('title')}
        list="licences"
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        state={state}
        go={go}
        onOpen={({ id }) => go({ edit: id })}
        readPage={(page, size) => send(licenses.list, { query: { ...queryOf(state), page, pageSize: size } })}
        bulk={mayWrite ? (rows, clear, run) => <BulkActions rows={rows} clear={clear} run={run} /> : undefined}
        clearFilters={state.name || state.status ? () => go(unfiltered) : undefined}
        empty={
          <Empty title={t('empty')} action={add}>
            {operators.length === 0 ? t('noOperators') : t('emptyText')}
          </Empty>
        }
      />
      {(state.edit === 'new' || opened) && operators.length > 0 && (
        <LicenseDrawer
          key={state.edit}
          license={opened}
          operators={operators}
          offline={false}
          title={t(opened ? 'edit' : 'add')}
          done={t(opened ? 'updated' : 'created')}
          save={save}
          onClose={close}
        />
      )}
      {shown && <KeyDialog name={shown.name} licenseKey={shown.key} onClose={() => setShown(undefined)} />}
      {booking && <OrderDrawer userId={booking.id} name={booking.name} onClose={() => setBooking(undefined)} />}
    </>
  )
}

type BulkProps = { rows: License[]; clear: () => void; run: RunBatches<License> }

function BulkActions({ rows, clear, run }: BulkProps) {
  const t = usePhrases('licenses')
  const revoke = useChange(licenses.revoke, licenses.list)
  const remove = useChange(licenses.remove, licenses.list)
  const shared = { rows, rowKey: ({ id }: License) => id, rowName: nameWithHolder, clear, run }
  const bodyOf = (batch: License[]) => ({ body: { ids: batch.map(({ id }) => id) } })
  return (
    <>
      <BulkConfirm
        {...shared}
        label={t('revoke')}
        title={t('revoke.title', { n: rows.length })}
        consequence={t('revoke.text')}
        act={(batch) => revoke.mutateAsync(bodyOf(batch))}
        done={t('updated')}
      />
      <BulkConfirm
        {...shared}
        label={t('remove')}
        title={t('remove.title', { n: rows.length })}
        consequence={t('remove.text')}
        act={(batch) => remove.mutateAsync(bodyOf(batch))}
        done={t('removed')}
      />
    </>
  )
}
