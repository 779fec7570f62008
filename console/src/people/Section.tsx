/** A part of a drawer below its form. */
import type { ReactNode } from 'react'

export function Section({ title, help, children }: { title: string; help?: string; children: ReactNode }) {
  return (
    <section className="mt-2 mb-4 border-line border-t pt-4">
      <h2 className="mb-1 font-semibold">{title}</h2>
      {help && <p className="mb-2 text-ink-3 text-xs">{help}</p>}
      {children}
    </section>
  )
}
