import { ApplyProgress } from '../../kit/ApplyProgress.tsx'
import type { Stories } from '../story.ts'

const none = { nodes: 0, live: 0, waiting: [], refused: [] }

export const stories: Stories = {
  'no nodes': () => <ApplyProgress progress={none} />,
  going: () => (
    <ApplyProgress
      detailed
      progress={{ ...none, nodes: 43, live: 41, waiting: [{ node: 'tpe-1' }, { node: 'fra-2' }] }}
    />
  ),
  live: () => <ApplyProgress progress={{ ...none, nodes: 43, live: 43 }} />,
  refused: () => (
    <ApplyProgress
      detailed
      progress={{ ...none, nodes: 43, live: 42, refused: [{ node: 'sin-3', revision: 812, reason: 'unknown guard' }] }}
    />
  ),
}
