/** One account: its name, its state, its permissions, the sites it sees, and actions on its sign-in. */
import { type Account, accounts } from '@breakwater/contract/account/accounts.ts'
import { Email, Name } from '@breakwater/contract/fields.ts'
import { z } from 'zod'
import { Drawer } from '../kit/Dialog.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Fact, Facts } from '../kit/Panel.tsx'
import { Tags } from '../kit/Status.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { AccountActions } from './AccountActions.tsx'
import { AccountZones } from './AccountZones.tsx'
import { GrantedSites } from './GrantedSites.tsx'
import { RolesField } from './RolesField.tsx'
import { PermissionField } from './roles/PermissionField.tsx'
import { SubAccounts } from './SubAccounts.tsx'
import { AccountStatus } from './user-columns.tsx'
import { wholeLists } from './whole-lists.ts'

const Schema = z.object({
  name: Name,
  email: Email,
  status: z.number().int(),
  roleIDs: z.array(z.number().int()),
  permissions: z.array(z.string()),
  allSites: z.boolean(),
  maxLogExportTimes: z.number('number').int('number').min(0, 'number').max(10_000, 'number'),
  expiredAt: z.string().nullable(),
})
type Values = z.output<typeof Schema>
const Field = fieldsOf(Schema)

/** Only changes are sent: sending the same state again would end sessions again. */
function changed(values: Values, before: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof Values]),
    ),
  )
}

type Props = { account: Account; onClose: () => void }

export function AccountDrawer(props: Props) {
  return useMay()('accounts.write') ? <Editable {...props} /> : <ReadOnly {...props} />
}

function Editable({ account, onClose }: Props) {
  const t = usePhrases('people')
  const { tier } = usePlaces()
  const updating = useChange(accounts.update, accounts.list)
  const settingRoles = useChange(accounts.setRoles, accounts.list)
  const { id, auth, isRoot, invited } = account
  const isOwn = auth === tier && !isRoot
  const before: Values = {
    ...{ name: account.name, email: account.email, status: account.status, allSites: account.allSites },
    ...{ roleIDs: account.roles.map((role) => role.id), permissions: account.permissions },
    ...{ maxLogExportTimes: account.maxLogExportTimes, expiredAt: account.expiredAt },
  }
  const form = useResourceForm(Schema, {
    values: before,
    async save(values) {
      const { roleIDs, ...changes } = changed(values, before)
      // The call that can fail at a field goes first.
      if (Object.keys(changes).length > 0) await updating.mutateAsync({ body: { auth, id, ...(changes as object) } })
      if (roleIDs === undefined) return
      await settingRoles.mutateAsync({ body: { id, roleIDs } })
      toasts.done(t('role.set'))
    },
    done: t('updated'),
    fieldOf: wholeLists,
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={account.name || account.account} onClose={onClose}>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Text name="name" label={t('name')} />
        <Field.Text name="email" label={t('email')} inputMode="email" />
        {invited ? (
          <div className="mb-4">
            <p className="mb-1.5 font-medium">{t('status')}</p>
            <AccountStatus account={account} t={t} />
            <p className="mt-1 text-ink-3 text-xs">{t('invited.text')}</p>
          </div>
        ) : (
          <Field.Select
            name="status"
            label={t('status')}
            help={t('status.help')}
            options={([1, 0, 2, 3] as const).map((value) => ({ value, label: t(`status.${value}`) }))}
          />
        )}
        <Field.Moment name="expiredAt" label={t('expires')} help={t('expires.help')} />
      </div>
      {isOwn && tier !== 'admin' && <RolesField name="roleIDs" />}
      {isOwn && tier === 'admin' && <PermissionField name="permissions" label={t('permissions')} />}
      {isOwn && tier !== 'admin' && <Field.Switch name="allSites" label={t('allSites')} help={t('allSites.help')} />}
      <Field.Number name="maxLogExportTimes" label={t('maxLogExportTimes')} />
      {isOwn && tier !== 'admin' && !account.allSites && <GrantedSites account={account} />}
      {isOwn && tier === 'client' && <AccountZones account={account} />}
      {isRoot && <SubAccounts account={account} />}
      <AccountActions account={account} onRemoved={onClose} />
    </FormDrawer>
  )
}

function ReadOnly({ account, onClose }: Props) {
  const t = usePhrases('people')
  return (
    <Drawer title={account.name || account.account} onClose={onClose}>
      <Facts>
        <Fact name={t('account')}>{account.account}</Fact>
        <Fact name={t('email')}>{account.email}</Fact>
        <Fact name={t('status')}>
          <AccountStatus account={account} t={t} />
        </Fact>
        <Fact name={t('roles')}>
          <Tags values={account.isRoot ? [t('root')] : account.roles.map(({ name }) => name)} />
        </Fact>
      </Facts>
      {account.isRoot && <SubAccounts account={account} />}
    </Drawer>
  )
}
