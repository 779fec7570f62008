import { useState } from 'react'
import type { Cell } from '../../kit/grid-layout.ts'
import { Panel } from '../../kit/Panel.tsx'
import { WidgetGrid } from '../../kit/WidgetGrid.tsx'
import type { Stories } from '../story.ts'

const start: Cell[] = [
  { id: 'requests', x: 0, y: 0, w: 6, h: 2 },
  { id: 'traffic', x: 6, y: 0, w: 6, h: 2 },
]

function Arranged() {
  const [cells, setCells] = useState(start)
  return (
    <div data-cells={JSON.stringify(cells)}>
      <WidgetGrid
        cells={cells}
        labelOf={({ id }) => id}
        render={({ id }) => (
          <Panel title={id} className="h-full">
            A number
          </Panel>
        )}
        onChange={setCells}
        onRemove={({ id }) => setCells(cells.filter((cell) => cell.id !== id))}
      />
    </div>
  )
}

export const stories: Stories = { arranged: () => <Arranged /> }
