/** A panel whose content comes from a call: loading, failed, or loaded. */
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Fault } from '../platform/fault.ts'
import { Failed } from './faults.tsx'
import { Panel } from './Panel.tsx'

type Props<Answer> = {
  title: string
  help: string
  call: UseQueryResult<Answer, Fault>
  children: (answer: Answer) => ReactNode
}

export function Loaded<Answer>({ title, help, call, children }: Props<Answer>) {
  return (
    <Panel title={title}>
      <p className="mb-3 text-ink-2">{help}</p>
      {call.data !== undefined ? (
        children(call.data)
      ) : call.isError ? (
        <Failed fault={call.error} retry={() => call.refetch()} />
      ) : (
        <div className="skeleton h-24" />
      )}
    </Panel>
  )
}
