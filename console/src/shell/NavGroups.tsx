/** The groups of the navigation, one of them open. A group with a single entry is a link without a group. */
import { Link } from '@tanstack/react-router'
import { ChevronRight, type LucideIcon } from 'lucide-react'
import { memo, useEffect, useId, useState } from 'react'
import { cn } from '../kit/cn.ts'

type NavEntry = {
  key: string
  title: string
  to: string
  /** The tab of a site's settings. */
  tab?: string
  /** The site that the page keeps as its filter. */
  site?: number | undefined
  isHere: boolean
  count?: number | undefined
}
export type NavGroup = { key: string; title: string; icon: LucideIcon; entries: readonly NavEntry[] }

/** Opens the group of the current page, and others on request. */
export function NavGroups({ groups }: { groups: readonly NavGroup[] }) {
  const here = groups.find(({ entries }) => entries.some(({ isHere }) => isHere))?.key
  const [open, setOpen] = useState(here)
  useEffect(() => setOpen(here), [here])
  return groups.map(({ key, title, icon, entries }) => {
    const [only] = entries
    if (entries.length === 1 && only) {
      const { key: name, ...entry } = only
      return <NavItem key={name} {...entry} icon={icon} />
    }
    const isOpen = open === key
    return (
      <Group key={key} title={title} icon={icon} isOpen={isOpen} onToggle={() => setOpen(isOpen ? undefined : key)}>
        {entries}
      </Group>
    )
  })
}

const itemClass =
  'flex min-h-[30px] w-full shrink-0 items-center gap-2.5 rounded-[6px] px-2 text-left given:text-ink-2 hover:bg-mute pointer-coarse:min-h-11'

type GroupProps = {
  title: string
  icon: LucideIcon
  isOpen: boolean
  onToggle: () => void
  children: readonly NavEntry[]
}

function Group({ title, icon: Icon, isOpen, onToggle, children: entries }: GroupProps) {
  const id = useId()
  return (
    <>
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle} className={itemClass}>
        <Icon size={16} strokeWidth={1.6} aria-hidden />
        <span className="min-w-0 flex-1 truncate">{title}</span>
        <ChevronRight
          size={14}
          aria-hidden
          className={cn('shrink-0 text-ink-3 transition-transform', isOpen && 'rotate-90')}
        />
      </button>
      <div id={id} hidden={!isOpen} className="mb-1 flex flex-col gap-px">
        {entries.map(({ key, ...entry }) => (
          <NavItem key={key} {...entry} icon={undefined} />
        ))}
      </div>
    </>
  )
}

/**
 * Renders again only when it becomes, or ceases to be, the current page: every navigation would otherwise render thirty
 * of them.
 */
export const NavItem = memo(function NavItem({
  to,
  tab,
  site,
  icon: Icon,
  isHere,
  count,
  title,
}: Omit<NavEntry, 'key'> & { icon: LucideIcon | undefined }) {
  const search = { ...(tab === undefined ? {} : { tab }), ...(site === undefined ? {} : { site }) }
  return (
    <Link
      to={to}
      search={search as never}
      aria-current={isHere ? 'page' : undefined}
      className={cn(
        itemClass,
        !Icon && 'pl-[34px]',
        isHere && 'bg-mute font-medium text-ink shadow-[inset_2px_0_0_var(--accent)]',
      )}
    >
      {Icon && <Icon size={16} strokeWidth={1.6} aria-hidden />}
      <span className="min-w-0 truncate">{title}</span>
      {count !== undefined && <span className="num ml-auto text-[11px] text-ink-3">{count}</span>}
    </Link>
  )
})
