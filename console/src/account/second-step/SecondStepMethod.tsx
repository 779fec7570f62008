/** One row of the sign-in panel. */
import type { ReactNode } from 'react'
import { Badge } from '../../kit/Status.tsx'

type SecondStepMethodProps = {
  title: string
  help: string
  badge?: string | false
  children: ReactNode
  below?: ReactNode
}

/** One method of the second step: what it is, whether it is in use, and what can be done with it. */
export function SecondStepMethod({ title, help, badge, children, below }: SecondStepMethodProps) {
  return (
    <li className="py-3 first:pt-1 last:pb-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <h3 className="flex items-center gap-2 font-medium">
            {title}
            {badge && <Badge tone="ok">{badge}</Badge>}
          </h3>
          <p className="text-ink-2">{help}</p>
        </div>
        <div className="flex gap-2">{children}</div>
      </div>
      {below}
    </li>
  )
}
