/**
 * The credentials that a group accepts: list, enable, change, add and remove them. Secrets can be written but never
 * read.
 */
import {
  type AuthGroupRow,
  authGroups,
  BasicAuth,
  claimsMax,
  JwtAuth,
  jwtAlgorithms,
  KeyAuth,
} from '@breakwater/contract/authentication/auth-groups.ts'
import { authGroupLists } from '@breakwater/contract/index.ts'
import type { RuleList } from '@breakwater/contract/rule-list.ts'
import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { z } from 'zod'
import { Button, IconButton } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { Form } from '../kit/Form.tsx'
import { Failed, showFault } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Pager } from '../kit/Pager.tsx'
import { Tag } from '../kit/Status.tsx'
import { Switch } from '../kit/Toggle.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import type { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

type Entry = { id: number; enabled: boolean; memo: string; username?: string; key?: string } & Record<string, unknown>
type Of = { siteId: number; group: AuthGroupRow }

/** Internally, all types have the same shape; only the form depends on their fields. */
const callsOf = (type: AuthGroupRow['type']) =>
  (authGroupLists[type] as unknown as RuleList<z.ZodObject, 'authGroup'>).calls
const nameOf = ({ username, key }: Entry): string => username ?? key ?? ''

export function GroupEntries({ siteId, group }: Of) {
  const t = usePhrases('authentication')
  const mayWrite = useMay()('firewall.write')
  const calls = callsOf(group.type)
  const of = { siteId, groupId: group.id }
  const [state, setState] = useState<Pick<ListSearch, 'page' | 'pageSize'>>({ page: 1, pageSize: 25 })
  const [editing, setEditing] = useState<number | 'new'>()
  const call = useCall(calls.list, { ...of, query: state })
  const switching = useChange(calls.switch, calls.list)
  const removing = useChange(calls.remove, calls.list, authGroups.list)
  const entries = (call.data?.data ?? []) as unknown as Entry[]
  const isBusy = switching.isPending || removing.isPending
  const form = (entry: Entry | undefined) => (
    <EntryForm
      key={entry?.id ?? 'new'}
      siteId={siteId}
      group={group}
      entry={entry}
      onClose={() => setEditing(undefined)}
    />
  )
  return (
    <>
      <h2 className="mb-2 font-semibold">{t(`entries.${group.type}`)}</h2>
      {call.isError && <Failed fault={call.error} retry={() => call.refetch()} />}
      {call.isPending && <div className="skeleton h-16" />}
      {call.data && entries.length === 0 && <p className="mb-4 text-ink-3">{t('entries.empty')}</p>}
      {entries.length > 0 && (
        <ul className="mb-3 divide-y divide-line rounded-panel border border-line">
          {entries.map((entry) => (
            <li key={entry.id} className="py-1.5 pr-1.5 pl-3">
              {editing === entry.id ? (
                form(entry)
              ) : (
                <div className="flex items-center gap-3">
                  <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
                    <span className="mono min-w-0 break-all">{nameOf(entry) || t('jwt.noKid')}</span>
                    {group.type === 'jwt' && <Tag>{String(entry.algorithm)}</Tag>}
                    {entry.memo && <span className="text-ink-3 text-xs">{entry.memo}</span>}
                  </span>
                  {mayWrite && (
                    <>
                      <Switch
                        aria-label={t('entry.enabled', { name: nameOf(entry) })}
                        checked={entry.enabled}
                        disabled={isBusy}
                        onCheckedChange={(enabled) =>
                          switching.mutateAsync({ ...of, body: { ids: [entry.id], enabled } }).catch(showFault)
                        }
                      />
                      <IconButton
                        size="iconSm"
                        label={t('entry.edit', { name: nameOf(entry) })}
                        onClick={() => setEditing(entry.id)}
                      >
                        <Pencil size={14} aria-hidden />
                      </IconButton>
                      <ConfirmButton
                        size="iconSm"
                        look="ghost"
                        label={<Trash2 size={14} aria-hidden />}
                        ariaLabel={t('entry.remove', { name: nameOf(entry) })}
                        title={t('entry.remove', { name: nameOf(entry) })}
                        consequence={t('entry.removeText')}
                        confirmLabel={t('group.remove')}
                        disabled={isBusy}
                        onConfirm={async () => {
                          await removing.mutateAsync({ ...of, body: { ids: [entry.id] } })
                          toasts.done(t('group.removed'))
                        }}
                      />
                    </>
                  )}
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {call.data && call.data.total > state.pageSize && (
        <Pager state={state} go={(patch) => setState({ ...state, ...patch })} total={call.data.total} />
      )}
      {mayWrite && editing === 'new' && form(undefined)}
      {mayWrite && editing === undefined && (
        <Button onClick={() => setEditing('new')}>{t(`entry.add.${group.type}`)}</Button>
      )}
    </>
  )
}

/** For a secret that is already set, the field may stay empty: the secret is then kept. */
const orNothing = <S extends z.ZodType>(secret: S) => secret.or(z.literal(''))
const schemas = {
  basic: { made: BasicAuth, changed: BasicAuth.extend({ password: orNothing(BasicAuth.shape.password) }) },
  key: { made: KeyAuth, changed: KeyAuth.extend({ key: orNothing(KeyAuth.shape.key) }) },
  jwt: { made: JwtAuth, changed: JwtAuth.extend({ secret: orNothing(JwtAuth.shape.secret) }) },
}
const Name = fieldsOf(BasicAuth)
const Key = fieldsOf(KeyAuth)
const Token = fieldsOf(JwtAuth)
/** The write-only field of each type. */
const secretFields = { basic: 'password', key: 'key', jwt: 'secret' } as const
/** The initial values of a new entry's own fields. */
const freshFields = {
  basic: { username: '' },
  key: {},
  jwt: { key: '', algorithm: 'RS256', issuer: '', audience: '', claims: [] },
} as const

function EntryForm({ siteId, group, entry, onClose }: Of & { entry: Entry | undefined; onClose: () => void }) {
  const t = usePhrases('authentication')
  const { type } = group
  const calls = callsOf(type)
  const of = { siteId, groupId: group.id }
  const add = useChange(calls.create, calls.list, authGroups.list)
  const update = useChange(calls.update, calls.list)
  const secret = secretFields[type]
  const own = Object.fromEntries(Object.entries(freshFields[type]).map(([name, none]) => [name, entry?.[name] ?? none]))
  const form = useResourceForm(schemas[type][entry ? 'changed' : 'made'] as unknown as z.ZodObject, {
    values: {
      ...own,
      ...{ [secret]: '', enabled: entry?.enabled ?? true, memo: entry?.memo ?? '' },
    },
    async save(body) {
      const { [secret]: typed, ...rest } = body as Record<string, unknown>
      const sent = { ...rest, ...(typed !== '' && { [secret]: typed }) }
      if (entry) await update.mutateAsync({ ...of, body: { ...sent, id: entry.id } as never })
      else await add.mutateAsync({ ...of, body: sent as never })
    },
    done: t('entry.saved'),
    onSaved: onClose,
  })
  const helps = { basic: 'entry.passwordHelp', key: 'entry.keyHelp', jwt: 'jwt.secretHelp' } as const
  const help = t(entry ? 'entry.stays' : helps[type])
  return (
    <Form form={form}>
      {type === 'basic' && (
        <div className="grid gap-x-4 sm:grid-cols-2">
          <Name.Text name="username" label={t('entry.username')} mono autoFocus />
          <Name.Secret name="password" label={t('entry.password')} help={help} autoComplete="new-password" />
        </div>
      )}
      {type === 'key' && <NewKey help={help} />}
      {type === 'jwt' && <TokenKey help={help} />}
      <Name.Memo name={'memo' as never} label={t('group.memo')} />
      <div className="flex gap-2 pb-2">
        <Button type="submit" look="solid" busy={form.busy}>
          {t(entry ? 'group.save' : `entry.add.${type}`)}
        </Button>
        <Button onClick={onClose}>{t('entry.cancel')}</Button>
      </div>
    </Form>
  )
}

/** A key that verifies tokens: the signing algorithm and the required claims. */
function TokenKey({ help }: { help: string }) {
  const t = usePhrases('authentication')
  return (
    <>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Token.Text name={'key' as never} label={t('jwt.kid')} help={t('jwt.kidHelp')} mono autoFocus />
        <Token.Select
          name="algorithm"
          label={t('jwt.algorithm')}
          options={jwtAlgorithms.map((value) => ({ value, label: value }))}
        />
      </div>
      <Token.Block name="secret" label={t('jwt.secret')} help={help} isSecret />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Token.Text name={'issuer' as never} label={t('jwt.issuer')} help={t('jwt.any')} mono />
        <Token.Text name={'audience' as never} label={t('jwt.audience')} help={t('jwt.any')} mono />
      </div>
      <Token.Lines
        name={'claims' as never}
        label={t('jwt.claims')}
        help={t('jwt.claimsHelp')}
        max={claimsMax}
        placeholder="role=admin"
      />
    </>
  )
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const madeChars = 40

/** Every character is equally likely: bytes that would favour the first ones are discarded. */
function makeKey(): string {
  let key = ''
  while (key.length < madeChars) {
    for (const byte of crypto.getRandomValues(new Uint8Array(madeChars)))
      if (byte < 248 && key.length < madeChars) key += letters[byte % letters.length]
  }
  return key
}

/** A key that is typed or generated here. This is the only time that it can be copied. */
function NewKey({ help }: { help: string }) {
  const t = usePhrases('authentication')
  const { setValue } = useFormContext()
  const [made, setMade] = useState<string>()
  const make = () => {
    const key = makeKey()
    setMade(key)
    setValue('key', key, { shouldDirty: true, shouldValidate: true })
  }
  return (
    <>
      <Key.Secret name="key" label={t('entry.key')} help={help} autoFocus />
      {made && (
        <div className="mb-3">
          <p className="mb-1 text-ink-2 text-xs">{t('entry.copyNow')}</p>
          <CopyText text={made} block />
        </div>
      )}
      <div className="mb-3">
        <Button size="sm" onClick={make}>
          {t('entry.make')}
        </Button>
      </div>
    </>
  )
}
