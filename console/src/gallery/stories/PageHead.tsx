import { Button } from '../../kit/Button.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  // It has the page's only h1.
  head: {
    alone: true,
    show: () => (
      <PageHead title="Domains" object="shop" help="What is served, and from where.">
        <Button>Import</Button>
        <Button look="solid">Add domain</Button>
      </PageHead>
    ),
  },
}
