/** The pages that visitors see on errors: one for each status, of a site or of an operator. */
import { ErrorPage, errorPageStatuses, interceptable } from '@breakwater/contract/delivery/error-pages.ts'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { Failed, showFault } from '../kit/faults.tsx'
import { CodeField } from '../kit/fields/CodeField.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { Status } from '../kit/Status.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'

const statuses = Object.values(errorPageStatuses)
type PageStatus = (typeof statuses)[number]
const Field = fieldsOf(ErrorPage)

type Props = {
  title: string
  help: string
  call: {
    data?: ErrorPage[] | undefined
    isError: boolean
    error: Parameters<typeof Failed>[0]['fault'] | null
    refetch: () => unknown
  }
  mayWrite: boolean
  save: (page: ErrorPage) => Promise<unknown>
  remove: (status: PageStatus) => Promise<unknown>
}

export function ErrorPages({ title, help, call, mayWrite, save, remove }: Props) {
  const t = usePhrases('delivery')
  const [editing, setEditing] = useState<PageStatus>()
  if (call.isError && call.error) return <Failed fault={call.error} retry={() => call.refetch()} />
  const { data } = call
  const pageOf = (status: number) => data?.find((page) => page.status === status)
  async function goBack(status: PageStatus) {
    await remove(status).then(() => toasts.done(t('pages.removed')), showFault)
  }
  return (
    <>
      <PageHead title={title} help={help} />
      {!data && <div className="skeleton h-60" />}
      {data && (
        <ul className="divide-y divide-line rounded-panel border border-line bg-surface">
          {statuses.map((status) => {
            const page = pageOf(status)
            return (
              <li key={status} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
                <span className="num w-10 font-medium">{status}</span>
                <span className="min-w-24 flex-1">{t(`pages.${status}`)}</span>
                <Status tone={page?.enabled ? 'ok' : 'mute'}>
                  {t(page ? (page.enabled ? 'pages.own' : 'pages.off') : 'pages.default')}
                </Status>
                {mayWrite && (
                  <span className="flex gap-2">
                    <Button onClick={() => setEditing(status)}>{t(page ? 'pages.edit' : 'pages.make')}</Button>
                    {page && (
                      <ConfirmButton
                        label={t('pages.remove')}
                        title={t('pages.removeTitle', { status })}
                        consequence={t('pages.removeText')}
                        confirmLabel={t('pages.remove')}
                        onConfirm={() => goBack(status)}
                      />
                    )}
                  </span>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {editing !== undefined && (
        <PageDrawer
          key={editing}
          status={editing}
          page={pageOf(editing)}
          save={save}
          onClose={() => setEditing(undefined)}
        />
      )}
    </>
  )
}

type DrawerProps = Pick<Props, 'save'> & { status: PageStatus; page: ErrorPage | undefined; onClose: () => void }

const begun = `<!doctype html>
<meta charset="utf-8">
<title>{{status}}</title>
<h1>{{host}}</h1>
<p>{{reference}}</p>
`

function PageDrawer({ status, page, save, onClose }: DrawerProps) {
  const t = usePhrases('delivery')
  const form = useResourceForm(ErrorPage, {
    values: page ?? { status, content: begun, enabled: true, intercept: false },
    save,
    done: t('pages.saved'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t('pages.title', { status })} onClose={onClose}>
      <CodeField
        name="content"
        label={t('pages.content')}
        help={t('pages.contentHelp', { places: '{{reference}} {{host}} {{status}}' })}
        mode="html"
      />
      {interceptable.includes(status) && (
        <Field.Switch name="intercept" label={t('pages.intercept')} help={t('pages.interceptHelp')} />
      )}
      <Field.Switch name="enabled" label={t('pages.enabled')} />
    </FormDrawer>
  )
}
