/// <reference lib="dom" />
/** Whether what a page has shown stays: a part that is loaded later must not hide the page around it for a blink. */
import type { BrowserContext, Page } from 'playwright-core'

declare global {
  var hiddenAgain: string[]
}

/** From now on the pages of a person note what React hides again after it was shown. */
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

/** The beginnings of what was shown on this page and then hidden. */
export const takenAway = (page: Page): Promise<string[]> => page.evaluate(() => globalThis.hiddenAgain)

/** What was hidden until now is over: the page before may go while its successor comes. */
export const forgetWhatWasHidden = (page: Page): Promise<void> =>
  page.evaluate(() => {
    globalThis.hiddenAgain = []
  })
