/** The head of a page: its title, its purpose, its actions. It also sets the document's title. */
import { createContext, type ReactNode, useContext } from 'react'
import { useBrand } from '../platform/brand.ts'

/** The name of the object that the pages below belong to, for their titles. */
export const PageObject = createContext<string | undefined>(undefined)

/** `beside` is shown next to the title, for example a count. */
type Props = { title: string; help?: ReactNode; beside?: ReactNode; children?: ReactNode }

export function PageHead({ title, help, beside, children }: Props) {
  const brand = useBrand()
  const object = useContext(PageObject)
  return (
    <header className="mb-3.5">
      <title>{[...new Set([object, title, brand])].filter(Boolean).join(' · ')}</title>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex flex-wrap items-baseline gap-x-2.5">
          <h1 className="font-semibold text-[20px] leading-7 tracking-[-0.01em] in-[:lang(zh)]:tracking-normal">
            {title}
          </h1>
          {beside}
        </div>
        {children && <div className="flex flex-wrap items-center gap-2">{children}</div>}
      </div>
      {help && <p className="mt-0.5 max-w-[880px] text-ink-2">{help}</p>}
    </header>
  )
}
