/** The JWKS from which a group takes further keys for tokens, at a URL or pasted, and the keys found there. */
import type { AuthGroupRow } from '@breakwater/contract/authentication/auth-groups.ts'
import { claimsMax } from '@breakwater/contract/authentication/auth-groups.ts'
import { type Jwks, JwksChange, jwks } from '@breakwater/contract/authentication/jwks.ts'
import { Button } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { Failed } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Tag } from '../kit/Status.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'

const Field = fieldsOf(JwksChange)
/** The keys arrive a moment after their URL is saved. */
const lookAgainMs = 3_000
const restMs = 60_000

type Of = { siteId: number; group: AuthGroupRow }

export function GroupJwks({ siteId, group }: Of) {
  const t = usePhrases('authentication')
  const call = useCall(
    jwks.get,
    { siteId, groupId: group.id },
    {
      everyMs: (known) => (known?.url && known.triedAt === null ? lookAgainMs : restMs),
    },
  )
  return (
    <>
      <h2 className="mt-6 mb-2 font-semibold">{t('jwks.title')}</h2>
      <p className="mb-3 text-ink-2">{t('jwks.help')}</p>
      {call.isError && !call.data && <Failed fault={call.error} retry={() => call.refetch()} />}
      {call.isPending && <div className="skeleton h-16" />}
      {call.data && <Found jwks={call.data} />}
      {call.data && <JwksForm siteId={siteId} group={group} stored={call.data} />}
    </>
  )
}

function Found({ jwks: { url, found, fetchedAt, problem } }: { jwks: Jwks }) {
  const t = usePhrases('authentication')
  const format = useFormat()
  if (url === '' && found.length === 0) return null
  return (
    <div className="mb-3">
      {found.length > 0 && (
        <ul className="mb-2 divide-y divide-line rounded-panel border border-line">
          {found.map(({ kid, algorithm }) => (
            <li key={kid} className="flex items-center gap-3 px-3 py-1.5">
              <span className="mono min-w-0 flex-1 break-all">{kid || t('jwt.noKid')}</span>
              <Tag>{algorithm}</Tag>
            </li>
          ))}
        </ul>
      )}
      {fetchedAt && <p className="text-ink-3 text-xs">{t('jwks.fetched', { at: format.moment(fetchedAt) })}</p>}
      {!fetchedAt && url !== '' && problem === '' && <p className="text-ink-3 text-xs">{t('jwks.waiting')}</p>}
      {problem !== '' && (
        <p role="alert" className="text-bad text-xs">
          {t(`jwks.problem.${problem}`)}
        </p>
      )}
    </div>
  )
}

function JwksForm({ siteId, group, stored }: Of & { stored: Jwks }) {
  const t = usePhrases('authentication')
  const mayWrite = useMay()('firewall.write')
  const update = useChange(jwks.update, jwks.get)
  const { url, issuer, audience, claims } = stored
  const form = useResourceForm(JwksChange, {
    values: { url, keys: '', issuer, audience, claims },
    save: (body) => update.mutateAsync({ siteId, groupId: group.id, body }),
    done: t('group.saved'),
    stays: (saved) => ({ ...saved, keys: '' }),
  })
  return (
    <Form form={form}>
      <Field.Text name={'url' as never} label={t('jwks.url')} help={t('jwks.urlHelp')} placeholder="https://" mono />
      <Field.Block name={'keys' as never} label={t('jwks.keys')} help={t('jwks.keysHelp')} />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Text name={'issuer' as never} label={t('jwt.issuer')} help={t('jwt.any')} mono />
        <Field.Text name={'audience' as never} label={t('jwt.audience')} help={t('jwt.any')} mono />
      </div>
      <Field.Lines
        name={'claims' as never}
        label={t('jwt.claims')}
        help={t('jwt.claimsHelp')}
        max={claimsMax}
        placeholder="role=admin"
      />
      {mayWrite && (
        <Button type="submit" busy={form.busy}>
          {t('jwks.save')}
        </Button>
      )}
    </Form>
  )
}
