/** The menu of a row of a top list, open when it appears. */
import type { ReactElement } from 'react'
import { Menu, MenuItem } from './Menu.tsx'
import type { RowAction } from './TopList.tsx'

type Props = { trigger: ReactElement; actions: readonly RowAction[]; name: string }

export function TopListMenu({ trigger, actions, name }: Props) {
  return (
    <Menu trigger={trigger} defaultOpen>
      {actions.map(({ key, label, run }) => (
        <MenuItem key={key} onClick={() => run(name)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
