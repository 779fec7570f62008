/**
 * What would happen to a request of this site with the saved configuration: runs the node's own code, sends nothing.
 */
import { cacheSimulation } from '@breakwater/contract/delivery/cache-simulation.ts'
import { requestTrace, TraceQuestion, tracedBodyMax } from '@breakwater/contract/delivery/request-trace.ts'
import { methods } from '@breakwater/contract/fields.ts'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Panel } from '../kit/Panel.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { headersOf } from '../pickers/question/headers-of.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { type Traced, TraceOutcome } from './TraceOutcome.tsx'

const { method, url } = TraceQuestion.shape
const schema = z.object({
  method,
  url,
  headers: z.string(),
  body: z.string().max(tracedBodyMax, 'charactersExceedLimit'),
  address: z.string(),
  hasPassedChallenge: z.boolean(),
})
const Field = fieldsOf(schema)
type Asked = z.output<typeof schema>

/** A browser's headers: without them, WAF rules would match it as a program. */
const ownHeaders = () => `User-Agent: ${navigator.userAgent}\nAccept: text/html`

export function TracePanel({ siteId }: { siteId: number }) {
  const t = usePhrases('logs')
  const may = useMay()
  const [traced, setTraced] = useState<Traced>()
  const trace = useChange(requestTrace.trace)
  const simulate = useChange(cacheSimulation.simulate)

  async function ask({ headers, body, address, ...rest }: Asked): Promise<Traced> {
    const question = { ...rest, headers: headersOf(headers) }
    const more = { ...(body !== '' && { body }), ...(address.trim() !== '' && { address: address.trim() }) }
    const { hasPassedChallenge: _, ...ofCache } = question
    const [told, cache] = await Promise.all([
      trace.mutateAsync({ siteId, body: { ...question, ...more } }),
      may('cache.read') ? simulate.mutateAsync({ siteId, body: ofCache }) : undefined,
    ])
    return { trace: told, cache }
  }
  const form = useResourceForm(schema, {
    values: { method: 'GET', url: '', headers: ownHeaders(), body: '', address: '', hasPassedChallenge: false },
    save: ask,
    stays: (asked) => asked,
    onSaved: setTraced,
  })
  const sendsBody = !['GET', 'HEAD'].includes(String(form.methods.watch('method')))
  return (
    <>
      <Panel title={t('trace.title')} className="mt-4">
        <p className="mb-3 max-w-[72ch] text-ink-2">{t('trace.help')}</p>
        <Form form={form}>
          <div className="flex flex-wrap items-start gap-x-3">
            <Field.Select
              name="method"
              label={t('trace.method')}
              options={methods.map((value) => ({ value, label: value }))}
              className="w-28"
            />
            <Field.Text
              name="url"
              label={t('trace.url')}
              mono
              placeholder="/login"
              className="min-w-0 flex-1 basis-60"
            />
          </div>
          <div className="grid gap-x-3 sm:grid-cols-2">
            <Field.Block name="headers" label={t('trace.headers')} help={t('trace.headers.help')} />
            <div>
              <Field.Text name="address" label={t('trace.address')} help={t('trace.address.help')} mono />
              <Field.Switch name="hasPassedChallenge" label={t('trace.hasPassed')} />
            </div>
          </div>
          {sendsBody && <Field.Block name="body" label={t('trace.body')} />}
          <Button look="solid" type="submit" busy={form.busy}>
            {t('trace.do')}
          </Button>
        </Form>
      </Panel>
      <div role="status">{traced && <TraceOutcome siteId={siteId} traced={traced} />}</div>
    </>
  )
}
