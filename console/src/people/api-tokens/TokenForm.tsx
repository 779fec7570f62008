/** Creates an API token with a scope as narrow as its program allows, then shows it once. */
import { parseRange } from '@breakwater/contract/addresses.ts'
import { apiTokens } from '@breakwater/contract/auth/api-tokens.ts'
import { Memo, Name } from '@breakwater/contract/fields.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { CopyDialog } from '../../kit/CopyDialog.tsx'
import { FormDrawer } from '../../kit/FormDrawer.tsx'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { useChange } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { PermissionField } from '../roles/PermissionField.tsx'
import { wholeLists } from '../whole-lists.ts'
import { SitesField } from './SitesField.tsx'

const cidrsMax = 100
const checkRange = (line: string) => (parseRange(line) ? undefined : 'wrongFormat')

const Schema = z
  .object({
    name: Name,
    memo: Memo,
    expiredAt: z.string().nullable(),
    limitsKeys: z.boolean(),
    permissions: z.array(z.string()),
    limitsSites: z.boolean(),
    siteIDs: z.array(z.number()),
    cidrs: z
      .array(z.string())
      .transform((lines) => lines.map((line) => line.trim()).filter(Boolean))
      .pipe(z.array(z.string().refine((line) => !checkRange(line), 'wrongFormat')).max(cidrsMax, 'itemsExceedLimit')),
  })
  .superRefine((values, context) => {
    const need = (path: string) => context.addIssue({ code: 'custom', path: [path], message: 'required' })
    if (values.limitsKeys && values.permissions.length === 0) need('permissions')
    if (values.limitsSites && values.siteIDs.length === 0) need('siteIDs')
  })
const Field = fieldsOf(z.object({ ...Schema.shape, cidrs: z.array(z.string()) }))

export function TokenForm({ onClose }: { onClose: () => void }) {
  const t = usePhrases('people')
  const [token, setToken] = useState<string>()
  const creating = useChange(apiTokens.create, apiTokens.list)
  const form = useResourceForm(Schema, {
    values: {
      ...{ name: '', memo: '', expiredAt: null, limitsKeys: false, permissions: [] },
      ...{ limitsSites: false, siteIDs: [], cidrs: [] },
    },
    save: ({ limitsKeys, permissions, limitsSites, siteIDs, ...rest }) =>
      creating.mutateAsync({
        body: {
          ...rest,
          permissions: limitsKeys ? (permissions as Permission[]) : null,
          siteIDs: limitsSites ? siteIDs : null,
        },
      }),
    fieldOf: wholeLists,
    onSaved: (made) => setToken(made.token),
  })
  const [limitsKeys, limitsSites] = useWatch({ control: form.methods.control, name: ['limitsKeys', 'limitsSites'] })
  if (token) return <NewToken token={token} onClose={onClose} />
  return (
    <FormDrawer form={form} title={t('token.new')} saveLabel={t('token.create')} onClose={onClose}>
      <Field.Text name="name" label={t('name')} />
      <Field.Memo name="memo" label={t('token.memo')} />
      <Field.Moment name="expiredAt" label={t('token.expires')} />
      <Field.Switch name="limitsKeys" label={t('token.limitKeys')} />
      {limitsKeys && <PermissionField name="permissions" label={t('permissions')} />}
      <Field.Switch name="limitsSites" label={t('token.limitSites')} />
      {limitsSites && <SitesField name="siteIDs" />}
      <Field.Lines
        name="cidrs"
        label={t('token.cidrs')}
        help={t('token.cidrs.help')}
        max={cidrsMax}
        placeholder="203.0.113.0/24"
        check={checkRange}
        apart
      />
    </FormDrawer>
  )
}

function NewToken({ token, onClose }: { token: string; onClose: () => void }) {
  const t = usePhrases('people')
  const curl = `curl -H 'Authorization: Bearer ${token}' ${location.origin}/api/v1/apiTokens`
  const texts = [
    { text: token, about: t('token.once'), warns: true },
    { text: curl, about: t('token.use') },
  ]
  return <CopyDialog title={t('token.token')} texts={texts} onClose={onClose} />
}
