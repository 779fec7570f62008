/** The menu of a row in a top list, open initially. */
import type { ReactElement } from 'react'
import { Menu, MenuItem } from './Menu.tsx'

type Props = { trigger: ReactElement; items: readonly { key: string; label: string; run: () => void }[] }

export function TopListMenu({ trigger, items }: Props) {
  return (
    <Menu trigger={trigger} defaultOpen>
      {items.map(({ key, label, run }) => (
        <MenuItem key={key} onClick={run}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
