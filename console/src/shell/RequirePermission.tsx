/** A page that only some may see: the others are told so, in its place. */
import type { Permission } from '@breakwater/contract/permissions.ts'
import type { ReactNode } from 'react'
import { useMay } from '../platform/session.ts'
import { NotAllowed } from './error-pages.tsx'

type Props = {
  /** Nothing where everybody may who is signed in. */
  can: Permission | undefined
  children: ReactNode
}

export function RequirePermission({ can, children }: Props) {
  const may = useMay()
  return !can || may(can) ? children : <NotAllowed />
}
