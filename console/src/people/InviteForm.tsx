/** Invites a person: who, with which permissions, for which sites. The person sets the password. */
import { accounts, mailLocales } from '@breakwater/contract/account/accounts.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { AccountName, Email, Name } from '@breakwater/contract/fields.ts'
import { useState } from 'react'
import { z } from 'zod'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { locales, useLocale } from '../platform/locale.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { toasts } from '../platform/toasts.ts'
import { LinkDialog } from './LinkDialog.tsx'
import { RolesField } from './RolesField.tsx'
import { PermissionField } from './roles/PermissionField.tsx'
import { wholeLists } from './whole-lists.ts'

const Schema = z.object({
  name: Name,
  email: Email,
  account: AccountName,
  locale: z.enum(mailLocales),
  clientID: z.number().int(),
  roleIDs: z.array(z.number().int()),
  permissions: z.array(z.string()),
  allSites: z.boolean(),
  maxLogExportTimes: z.number('number').int('number').min(0, 'number').max(10_000, 'number'),
  expiredAt: z.string().nullable(),
})
const Field = fieldsOf(Schema)

type Props = { kind: Tier; isOwn: boolean; onClose: () => void }

export function InviteForm({ kind, isOwn, onClose }: Props) {
  const t = usePhrases('people')
  const { tier } = usePlaces()
  const { locale } = useLocale()
  const [link, setLink] = useState<string>()
  const creating = useChange(accounts.create, accounts.list)
  const needsOperator = tier === 'admin' && kind === 'user'
  const operators = useCall(
    accounts.list,
    { query: { auth: 'client', pageSize: 500, sortBy: 'name', orderBy: 'asc' } },
    { enabled: needsOperator },
  )
  const roots = operators.data?.data.filter(({ isRoot }) => isRoot) ?? []
  const form = useResourceForm(Schema, {
    values: {
      ...{ name: '', email: '', account: '', locale, clientID: 0, roleIDs: [], permissions: [] },
      ...{ allSites: kind !== 'user', maxLogExportTimes: 10, expiredAt: null },
    },
    save: ({ clientID, roleIDs, permissions, allSites, ...body }) =>
      creating.mutateAsync({
        body: {
          ...body,
          auth: kind,
          ...(needsOperator && (clientID || roots[0]) ? { clientID: clientID || roots[0]!.id } : {}),
          ...(isOwn && kind !== 'admin' ? { roleIDs, allSites } : {}),
          ...(isOwn && kind === 'admin' ? { permissions: permissions as never } : {}),
        },
      }),
    fieldOf: wholeLists,
    onSaved(made, { email }) {
      toasts.done(t(`created.${kind}`), t(made.isQueued ? 'queued' : 'undelivered', { email }))
      if (made.link) setLink(made.link)
      else onClose()
    },
  })
  if (link) return <LinkDialog link={link} onClose={onClose} />
  return (
    <FormDrawer form={form} title={t('invite.title')} saveLabel={t('invite.send')} onClose={onClose}>
      {needsOperator && (
        <Field.Select
          name="clientID"
          label={t('client')}
          options={roots.map(({ id, name, account }, index) => ({
            value: index === 0 ? 0 : id,
            label: name || account,
          }))}
        />
      )}
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Text name="name" label={t('name')} autoFocus />
        <Field.Text name="email" label={t('email')} inputMode="email" />
        <Field.Text name="account" label={t('account')} help={t('account.help')} mono />
        <Field.Select
          name="locale"
          label={t('locale')}
          options={mailLocales.map((value) => ({ value, label: locales[value] }))}
        />
      </div>
      {isOwn && kind !== 'admin' && <RolesField name="roleIDs" />}
      {isOwn && kind === 'admin' && <PermissionField name="permissions" label={t('permissions')} />}
      {isOwn && kind !== 'admin' && <Field.Switch name="allSites" label={t('allSites')} help={t('allSites.later')} />}
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Moment name="expiredAt" label={t('expires')} help={t('expires.help')} />
        <Field.Number name="maxLogExportTimes" label={t('maxLogExportTimes')} />
      </div>
    </FormDrawer>
  )
}
