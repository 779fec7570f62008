/// <reference lib="dom" />
/**
 * Elements with two classes that set the same property: the order in the stylesheet decides which one wins, which
 * nobody intended.
 */
import type { Page } from 'playwright-core'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({ extend: { classGroups: { 'font-size': [{ text: ['xs', 'sm'] }] } } })

/** Such clashes on a page, each once: the classes that lose, and all classes of the element. */
export async function classClashes(page: Page): Promise<string[]> {
  const all = await page.evaluate(() => [
    ...new Set([...document.querySelectorAll('[class]')].map((element) => element.getAttribute('class') ?? '')),
  ])
  return all.flatMap((text) => {
    const kept = merge(text).split(' ')
    const lost = text.split(/\s+/).filter((one) => one !== '' && !kept.includes(one))
    return lost.length > 0 ? [`${lost.join(' ')} of «${text}»`] : []
  })
}
