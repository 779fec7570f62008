/**
 * Tests how the cache would treat a URL: runs the node's own code with the saved rules, or with the one in the form.
 */
import { type CacheQuestion, cacheSimulation } from '@breakwater/contract/delivery/cache-simulation.ts'
import { type ReactNode, useId, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { Button } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { Input, inputClass } from '../kit/Input.tsx'
import { Link } from '../kit/Link.tsx'
import { Panel } from '../kit/Panel.tsx'
import { Select } from '../kit/Select.tsx'
import { CacheOutcome } from '../pickers/question/CacheOutcome.tsx'
import { headersOf } from '../pickers/question/headers-of.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { useSiteHere } from '../platform/site-here.ts'

const methods = ['GET', 'HEAD', 'POST'] as const
type Method = (typeof methods)[number]

/** On the tab: with the saved rules. */
export function CacheSimulatorPanel({ siteId }: { siteId: number }) {
  const t = usePhrases('question')
  return (
    <Panel title={t('ask')} className="my-4">
      <p className="mb-3 max-w-[72ch] text-ink-2">
        {t('ask.help')} <AllGuards />
      </p>
      <Simulator siteId={siteId} />
    </Panel>
  )
}

/** Link to the full explanation, which includes guards and modules. */
function AllGuards() {
  const t = usePhrases('question')
  const may = useMay()
  const places = usePlaces()
  const here = useSiteHere()
  if (!here || !may('logs.explain')) return null
  return (
    <>
      {t('ask.guards')}{' '}
      <Link to={places.site(here.id, here.name)} search={{ tab: 'explain' } as never} className="text-accent underline">
        {t('ask.all')}
      </Link>
    </>
  )
}

/** In a rule's drawer: with the rule as edited in the form. */
export function RuleSimulator({ siteId, ruleId }: { siteId: number; ruleId: number | undefined }) {
  const t = usePhrases('question')
  const { getValues, trigger } = useFormContext()
  const withRule = async () =>
    (await trigger())
      ? { rule: getValues() as CacheQuestion['rule'], ...(ruleId !== undefined && { id: ruleId }) }
      : undefined
  return (
    <section className="mb-4 border-line border-t pt-4">
      <h3 className="mb-1 font-semibold">{t('ask')}</h3>
      <p className="mb-3 text-ink-3 text-xs">{t('ask.withRule')}</p>
      <Simulator siteId={siteId} withRule={withRule} />
    </section>
  )
}

type Rule = Pick<CacheQuestion, 'rule' | 'id'>
type Props = { siteId: number; withRule?: () => Promise<Rule | undefined> }

function Simulator({ siteId, withRule = async () => ({}) }: Props) {
  const t = usePhrases('question')
  const [url, setUrl] = useState('')
  const [method, setMethod] = useState<Method>('GET')
  const [headers, setHeaders] = useState('')
  const [answer, setAnswer] = useState('')
  const [status, setStatus] = useState('200')
  const simulate = useChange(cacheSimulation.simulate)
  async function ask() {
    const rule = await withRule()
    if (!rule || url.trim() === '') return
    const body = {
      ...{ url: url.trim(), method, headers: headersOf(headers), ...rule },
      answer: { status: Number(status), headers: headersOf(answer) },
    }
    simulate.mutate({ siteId, body }, { onError: showFault })
  }
  return (
    <div>
      <div className="mb-3 flex flex-wrap items-end gap-2">
        <Select
          label={t('ask.method')}
          value={method}
          onChange={setMethod}
          options={methods.map((value) => ({ value, label: value }))}
          className="w-24"
        />
        <Labelled label={t('ask.url')} className="min-w-0 flex-1 basis-60">
          {(id) => (
            <Input
              id={id}
              value={url}
              placeholder="/assets/app.css?v=2"
              className="mono"
              onChange={(event) => setUrl(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
                event.preventDefault()
                void ask()
              }}
            />
          )}
        </Labelled>
        <Button onClick={ask} busy={simulate.isPending} disabled={url.trim() === ''}>
          {t('ask.do')}
        </Button>
      </div>
      <div className="grid gap-x-3 sm:grid-cols-2">
        <Labelled label={t('ask.headers')}>
          {(id) => <Lines id={id} value={headers} onChange={setHeaders} placeholder="Cookie: theme=dark" />}
        </Labelled>
        <div>
          <Labelled label={t('ask.answer')}>
            {(id) => <Lines id={id} value={answer} onChange={setAnswer} placeholder="Cache-Control: max-age=60" />}
          </Labelled>
          <Labelled label={t('ask.status')} className="mb-3 w-32">
            {(id) => (
              <Input id={id} value={status} inputMode="numeric" onChange={(event) => setStatus(event.target.value)} />
            )}
          </Labelled>
        </div>
      </div>
      <div role="status">
        {simulate.data && <CacheOutcome told={simulate.data} className="mt-1 border-line border-t pt-3" />}
      </div>
    </div>
  )
}

type LabelledProps = { label: string; className?: string; children: (id: string) => ReactNode }

function Labelled({ label, className, children }: LabelledProps) {
  const id = useId()
  return (
    <div className={className ?? 'mb-3'}>
      <label htmlFor={id} className="mb-1.5 block font-medium">
        {label}
      </label>
      {children(id)}
    </div>
  )
}

type LinesProps = { id: string; value: string; placeholder: string; onChange: (value: string) => void }

const Lines = ({ onChange, ...rest }: LinesProps) => (
  <textarea
    {...rest}
    rows={2}
    spellCheck={false}
    className={`${inputClass} mono h-auto py-1.5`}
    onChange={(event) => onChange(event.target.value)}
  />
)
