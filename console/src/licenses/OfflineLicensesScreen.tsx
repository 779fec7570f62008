/** Offline licences: issued, bound to an installation, carried by hand (screen `offlineLicense`). */
import { licenses, type OfflineLicense } from '@breakwater/contract/licenses/licenses.ts'
import { useState } from 'react'
import { send } from '../app/browser.ts'
import { useCall, useChange } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { useMay } from '../app/session.ts'
import { BulkConfirm } from '../kit/BulkConfirm.tsx'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Empty } from '../kit/Empty.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { toasts } from '../kit/toasts.ts'
import { KeyDialog } from './KeyDialog.tsx'
import { LicenseDrawer } from './LicenseDrawer.tsx'
import { LicenseFilters, LicenseSearch, queryOf, unfiltered } from './LicenseFilters.tsx'
import { licenseColumns, nameWithHolder } from './license-columns.tsx'
import { bodyOf, type LicenseForm } from './license-form.ts'
import { useOperators } from './use-operators.ts'

const { offlineList, offlineIssue, offlineUpdate, offlineRemove, offlineUnregister } = licenses

export function OfflineLicensesScreen() {
  const t = usePhrases('licenses')
  const format = useFormat()
  const mayWrite = useMay()('licenses.write')
  const [state, go] = useListState('offline-licences', LicenseSearch)
  const [shown, setShown] = useState<{ name: string; key: string }>()
  const call = useCall(offlineList, { query: queryOf(state) })
  const operators = useOperators(mayWrite)
  const issue = useChange(offlineIssue, offlineList)
  const update = useChange(offlineUpdate, offlineList)
  const remove = useChange(offlineRemove, offlineList)
  const unregister = useChange(offlineUnregister, offlineList)
  const opened = call.data?.data.find(({ id }) => id === state.edit)

  async function save(form: LicenseForm) {
    const { userID, ...body } = bodyOf(form)
    const { key } = opened
      ? await update.mutateAsync({ body: { ...body, id: opened.id } })
      : await issue.mutateAsync({ body: { ...body, userID } })
    setShown({ name: form.name, key })
  }
  const columns: Column<OfflineLicense>[] = [
    ...licenseColumns<OfflineLicense>(t, format, ({ id }) => go({ edit: id })),
    {
      key: 'installation',
      title: t('installation'),
      render: ({ installation }) =>
        installation ? (
          <span className="mono">{installation}</span>
        ) : (
          <span className="text-ink-3">{t('installation.any')}</span>
        ),
    },
    {
      key: 'actions',
      title: '',
      end: true,
      render: ({ id, name, key, installation }) => (
        <span className="inline-flex gap-1.5">
          {key && (
            <Button size="sm" onClick={() => setShown({ name, key })}>
              {t('showKey')}
            </Button>
          )}
          {mayWrite && installation && (
            <ConfirmButton
              size="sm"
              label={t('unregister')}
              title={t('unregister.title', { name })}
              consequence={t('unregister.text')}
              confirmLabel={t('unregister')}
              onConfirm={async () => {
                await unregister.mutateAsync({ body: { id } })
                toasts.done(t('deleted'))
              }}
            />
          )}
        </span>
      ),
    },
  ]
  const add = mayWrite && (
    <Button look="solid" disabled={operators.length === 0} onClick={() => go({ edit: 'new' })}>
      {t('offline.add')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('offline.title')} help={t('offline.help')}>
        {add}
      </PageHead>
      <LicenseFilters state={state} go={go} />
      <ResourceTable
        label={t('offline.title')}
        list="offline-licences"
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        state={state}
        go={go}
        onOpen={({ id }) => go({ edit: id })}
        readPage={(page, size) => send(offlineList, { query: { ...queryOf(state), page, pageSize: size } })}
        bulk={
          mayWrite
            ? (rows, clear, run) => (
                <BulkConfirm
                  label={t('remove')}
                  title={t('remove.title', { n: rows.length })}
                  consequence={t('offline.remove.text')}
                  rows={rows}
                  rowKey={({ id }) => id}
                  rowName={nameWithHolder}
                  act={(batch) => remove.mutateAsync({ body: { ids: batch.map(({ id }) => id) } })}
                  run={run}
                  clear={clear}
                  done={t('deleted')}
                />
              )
            : undefined
        }
        clearFilters={state.name || state.status ? () => go(unfiltered) : undefined}
        empty={
          <Empty title={t('empty')} action={add}>
            {operators.length === 0 ? t('noOperators') : t('offline.help')}
          </Empty>
        }
      />
      {(state.edit === 'new' || opened) && operators.length > 0 && (
        <LicenseDrawer
          key={state.edit}
          license={opened}
          operators={operators}
          offline
          title={t(opened ? 'edit' : 'offline.add')}
          done={t(opened ? 'updateSuccess' : 'offlineCreated')}
          save={save}
          onClose={() => go({ edit: undefined })}
        />
      )}
      {shown && <KeyDialog name={shown.name} licenseKey={shown.key} onClose={() => setShown(undefined)} />}
    </>
  )
}
