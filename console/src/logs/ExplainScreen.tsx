/** Why a request was refused: from the reference on a refusal page, or a request id. */
import { accessLog } from '@breakwater/contract/logs/access.ts'
import { Navigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Form } from '../kit/Form.tsx'
import { Failed } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useSearchState } from '../platform/search-state.ts'
import { ExplainAnswer } from './ExplainAnswer.tsx'

const Search = z.object({ reference: z.union([z.string(), z.number().transform(String)]).catch('') })
const schema = z.object({ reference: z.string().trim().min(1, 'required').max(128, 'wrongFormat') })
const Field = fieldsOf(schema)

type Props = {
  siteId?: number
  /** The alternative to a reference, shown while none is given. */
  children?: ReactNode
}

export function ExplainScreen({ siteId, children }: Props) {
  const t = usePhrases('logs')
  const [{ reference }, go] = useSearchState(Search)
  return (
    <div className="max-w-[880px]">
      <PageHead title={t('explain.title')} help={t('explain.help')} />
      <Ask
        key={reference}
        reference={reference}
        // Inside a site there is a second form.
        isFirst={siteId === undefined}
        onAsk={(next) => go({ reference: next })}
      />
      {reference !== '' && <Answer reference={reference} siteId={siteId} />}
      {reference === '' && children}
    </div>
  )
}

type AskProps = { reference: string; isFirst: boolean; onAsk: (reference: string) => void }

function Ask({ reference, isFirst, onAsk }: AskProps) {
  const t = usePhrases('logs')
  const form = useResourceForm(schema, {
    values: { reference },
    save: async ({ reference: next }) => next,
    onSaved: onAsk,
  })
  return (
    <Form form={form} className="mb-4 flex items-start gap-2 max-sm:flex-col sm:mb-0">
      <Field.Text
        name="reference"
        label={t('explain.reference')}
        mono
        autoFocus={isFirst && reference === ''}
        className="w-full flex-1"
      />
      <Button look="solid" type="submit" className="sm:mt-[26px] sm:in-[:lang(zh)]:mt-[28px]">
        {t('explain.run')}
      </Button>
    </Form>
  )
}

function Answer({ reference, siteId }: { reference: string; siteId: number | undefined }) {
  const t = usePhrases('logs')
  const places = usePlaces()
  const call = useCall(accessLog.explain, { body: { reference } })
  // A request of another tenant and one that never existed get the same answer.
  if (call.isError && call.error.status > 0 && call.error.status < 500 && call.error.status !== 429)
    return (
      <Panel className="py-10 text-center text-ink-3">
        <Empty title={t('explain.unknown')}>{t('explain.unknownText')}</Empty>
      </Panel>
    )
  if (call.isError)
    return (
      <Panel>
        <Failed fault={call.error} retry={() => call.refetch()} />
      </Panel>
    )
  if (!call.data) return <div className="skeleton appear-late h-60" />
  const { siteID, siteName } = call.data
  // A request to another of the user's sites is explained there.
  if (siteId !== undefined && siteId !== siteID)
    return <Navigate to={places.site(siteID, siteName)} search={{ tab: 'explain', reference } as never} replace />
  return <ExplainAnswer answer={call.data} />
}
