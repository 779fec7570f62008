import { Button } from '../../kit/Button.tsx'
import { PageHead, PageObject } from '../../kit/PageHead.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  // It has the page's only h1.
  head: {
    alone: true,
    show: () => (
      <PageObject value="shop">
        <PageHead title="Domains" help="What is served, and from where.">
          <Button>Import</Button>
          <Button look="solid">Add domain</Button>
        </PageHead>
      </PageObject>
    ),
  },
  /** The thing that the page is about is named around it, and stands in the document's title. */
  within: {
    alone: true,
    show: () => (
      <PageObject value="shop">
        <PageHead title="Domains" />
      </PageObject>
    ),
  },
}
