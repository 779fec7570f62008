/** Offline licences: issued, bound to an installation, delivered by hand (screen `offlineLicense`). */
import { licenses, type OfflineLicense } from '@breakwater/contract/licenses/licenses.ts'
import { BulkByIds } from '../kit/BulkConfirm.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'
import { LicenseList } from './LicenseList.tsx'
import { nameWithHolder } from './license-columns.tsx'
import { bodyOf } from './license-form.ts'

const { offlineList, offlineIssue, offlineUpdate, offlineRemove, offlineUnregister } = licenses

export function OfflineLicensesScreen() {
  const t = usePhrases('licenses')
  const issue = useChange(offlineIssue, offlineList)
  const update = useChange(offlineUpdate, offlineList)
  const remove = useChange(offlineRemove, offlineList)
  const unregister = useChange(offlineUnregister, offlineList)
  return (
    <LicenseList<OfflineLicense>
      kind="offline"
      list="offline-licences"
      title={t('offline.title')}
      help={t('offline.help')}
      add={t('offline.add')}
      emptyText={t('offline.help')}
      save={(form, opened) => {
        const { userID, ...body } = bodyOf(form)
        return opened
          ? update.mutateAsync({ body: { ...body, id: opened.id } })
          : issue.mutateAsync({ body: { ...body, userID } })
      }}
      done={(opened) => t(opened ? 'updateSuccess' : 'offlineCreated')}
      columns={[
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
      ]}
      actions={({ id, name, installation }) =>
        installation && (
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
        )
      }
      bulk={(rows, clear, run) => (
        <BulkByIds
          label={t('remove')}
          title={t('remove.title', { n: rows.length })}
          consequence={t('offline.remove.text')}
          rows={rows}
          rowName={nameWithHolder}
          act={(ids) => remove.mutateAsync({ body: { ids } })}
          run={run}
          clear={clear}
          done={t('deleted')}
        />
      )}
    />
  )
}
