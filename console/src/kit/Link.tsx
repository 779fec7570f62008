/** A link within the console, and one that leaves it. */
import { Link as RouterLink } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

type Props = { to: string; search?: Record<string, unknown>; className?: string; children: ReactNode }

export function Link({ to, search = {}, className, children }: Props) {
  return (
    <RouterLink
      to={to}
      search={search as never}
      className={cn('rounded-[3px] underline-offset-4 hover:given:text-accent hover:given:underline', className)}
    >
      {children}
    </RouterLink>
  )
}

export function OutLink({ href, className, children }: { href: string; className?: string; children: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className={cn('inline-flex items-center gap-1 given:text-accent underline-offset-4 hover:underline', className)}
    >
      {children}
      <ExternalLink size={13} aria-hidden />
    </a>
  )
}
