/** Online licences: draft, issue, revoke (screen `licenses`). */
import { type License, licenses } from '@breakwater/contract/licenses/licenses.ts'
import { useState } from 'react'
import { BulkByIds } from '../kit/BulkConfirm.tsx'
import { Button } from '../kit/Button.tsx'
import type { RunBatches } from '../kit/batches.ts'
import { showFault } from '../kit/faults.tsx'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'
import { KeyDialog } from './KeyDialog.tsx'
import { LicenseList } from './LicenseList.tsx'
import { nameWithHolder } from './license-columns.tsx'
import { bodyOf, type LicenseForm } from './license-form.ts'
import { OrderDrawer } from './OrderDrawer.tsx'

export function LicensesScreen() {
  const t = usePhrases('licenses')
  const [issued, setIssued] = useState<{ name: string; key: string }>()
  const [booking, setBooking] = useState<{ id: number; name: string }>()
  const create = useChange(licenses.create, licenses.list)
  const update = useChange(licenses.update, licenses.list)
  const issue = useChange(licenses.issue, licenses.list, licenses.order)

  async function save(form: LicenseForm, opened: License | undefined) {
    const { installation: _, userID, ...body } = bodyOf(form)
    if (opened) await update.mutateAsync({ body: { ...body, id: opened.id } })
    else await create.mutateAsync({ body: { ...body, userID } })
    return undefined
  }
  function sign(id: number, userID: number, name: string) {
    issue.mutate(
      { body: { id, userID } },
      {
        onError: showFault,
        onSuccess: ({ key }) => {
          toasts.done(t('issuedToast'))
          setIssued({ name, key })
        },
      },
    )
  }
  return (
    <>
      <LicenseList<License>
        kind="online"
        list="licences"
        title={t('title')}
        help={t('help')}
        add={t('add')}
        emptyText={t('emptyText')}
        save={save}
        done={(opened) => t(opened ? 'updated' : 'created')}
        actions={({ id, userID, userName, name, key, status }) =>
          userID !== null &&
          status !== 'revoked' && (
            <>
              <Button size="sm" onClick={() => setBooking({ id: userID, name: userName })}>
                {t('order')}
              </Button>
              <Button size="sm" onClick={() => sign(id, userID, name)}>
                {t(key ? 'issue.again' : 'issue')}
              </Button>
            </>
          )
        }
        bulk={(rows, clear, run) => <BulkActions rows={rows} clear={clear} run={run} />}
      />
      {issued && <KeyDialog name={issued.name} licenseKey={issued.key} onClose={() => setIssued(undefined)} />}
      {booking && <OrderDrawer userId={booking.id} name={booking.name} onClose={() => setBooking(undefined)} />}
    </>
  )
}

type BulkProps = { rows: License[]; clear: () => void; run: RunBatches<License> }

function BulkActions(shared: BulkProps) {
  const t = usePhrases('licenses')
  const revoke = useChange(licenses.revoke, licenses.list)
  const remove = useChange(licenses.remove, licenses.list)
  const n = shared.rows.length
  return (
    <>
      <BulkByIds
        {...shared}
        rowName={nameWithHolder}
        label={t('revoke')}
        title={t('revoke.title', { n })}
        consequence={t('revoke.text')}
        act={(ids) => revoke.mutateAsync({ body: { ids } })}
        done={t('updated')}
      />
      <BulkByIds
        {...shared}
        rowName={nameWithHolder}
        label={t('remove')}
        title={t('remove.title', { n })}
        consequence={t('remove.text')}
        act={(ids) => remove.mutateAsync({ body: { ids } })}
        done={t('removed')}
      />
    </>
  )
}
