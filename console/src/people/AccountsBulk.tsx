/** Bulk actions on accounts: the API's calls take a single one, so they run one after the other. */
import { type Account, accountStatuses, accounts } from '@breakwater/contract/account/accounts.ts'
import { BulkConfirm } from '../kit/BulkConfirm.tsx'
import type { RunBatches } from '../kit/batches.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const switches = [
  { key: 'activate', status: accountStatuses.normal, text: 'bulk.activate.text', look: 'line' },
  { key: 'pause', status: accountStatuses.pause, text: 'bulk.ends', look: 'danger' },
  { key: 'lock', status: accountStatuses.lock, text: 'bulk.ends', look: 'danger' },
] as const

type Props = { chosen: Account[]; clear: () => void; run: RunBatches<Account> }

export function AccountsBulk({ chosen, clear, run }: Props) {
  const t = usePhrases('people')
  const updating = useChange(accounts.update, accounts.list)
  const removing = useChange(accounts.remove, accounts.list)
  const shared = {
    ...{ rowKey: ({ id }: Account) => id, rowName: (row: Account) => <Named account={row} /> },
    ...{ perCall: 1, run, clear },
  }
  return (
    <>
      {switches.map(({ key, status, text, look }) => {
        // An invited person has no state to change before setting a password.
        const rows = chosen.filter((row) => !row.invited && row.status !== status)
        return (
          <BulkConfirm
            key={key}
            {...shared}
            look={look}
            label={t(`bulk.${key}`)}
            title={t(`bulk.${key}.title`, { n: rows.length })}
            consequence={t(text)}
            rows={rows}
            act={([one]) => updating.mutateAsync({ body: { auth: one!.auth, id: one!.id, status } })}
            done={t('bulk.done')}
          />
        )
      })}
      <BulkConfirm
        {...shared}
        label={t('remove')}
        title={t('bulk.remove.title', { n: chosen.length })}
        consequence={t('bulk.remove.text')}
        rows={chosen}
        typed={String(chosen.length)}
        act={([one]) => removing.mutateAsync({ body: { auth: one!.auth, id: one!.id } })}
        done={t('bulk.done')}
      />
    </>
  )
}

function Named({ account: { name, account } }: { account: Account }) {
  return (
    <>
      {name || account} {name && <span className="text-ink-3">{account}</span>}
    </>
  )
}
