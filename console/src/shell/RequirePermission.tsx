/** A page that needs a permission: other users get a message instead. */
import type { Permission } from '@breakwater/contract/permissions.ts'
import type { ReactNode } from 'react'
import { useMay } from '../platform/session.ts'
import { NotAllowed } from './error-pages.tsx'

type Props = {
  /** Undefined if every signed-in user may see it. */
  can: Permission | undefined
  children: ReactNode
}

export function RequirePermission({ can, children }: Props) {
  const may = useMay()
  return !can || may(can) ? children : <NotAllowed />
}
