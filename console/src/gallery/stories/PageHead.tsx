import { Button } from '../../kit/Button.tsx'
import { PageHead, PageObject } from '../../kit/PageHead.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  // It contains the page's only h1.
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
  /** The object that the page is about is named by the context, and appears in the document's title. */
  within: {
    alone: true,
    show: () => (
      <PageObject value="shop">
        <PageHead title="Domains" />
      </PageObject>
    ),
  },
}
