/// <reference lib="dom" />
/** Whether what a page has shown stays visible: a lazily loaded part must not hide the page around it for a moment. */
import type { BrowserContext, Page } from 'playwright-core'

declare global {
  var hiddenAgain: string[]
}

/** From now on the person's pages record what React hides again after it was shown. */
export async function noteWhatIsHidden(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    globalThis.hiddenAgain = []
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const { style, textContent } = target as HTMLElement
        const isHidden = style?.display === 'none' && style.getPropertyPriority('display') === 'important'
        if (isHidden && textContent) globalThis.hiddenAgain.push(textContent.slice(0, 80))
      }
    }).observe(document, { subtree: true, attributeFilter: ['style'] })
  })
}

/** The first characters of what was shown on this page and then hidden. */
export const takenAway = (page: Page): Promise<string[]> => page.evaluate(() => globalThis.hiddenAgain)

/** Forgets what was hidden until now: the previous page may go while the next one comes. */
export const forgetWhatWasHidden = (page: Page): Promise<void> =>
  page.evaluate(() => {
    globalThis.hiddenAgain = []
  })
