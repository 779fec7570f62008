/// <reference lib="dom" />
/** Elements with two classes that set the same thing: the stylesheet's order decides which one wins, and nobody meant that. */
import type { Page } from 'playwright-core'
import { extendTailwindMerge } from 'tailwind-merge'

const merge = extendTailwindMerge({ extend: { classGroups: { 'font-size': [{ text: ['xs', 'sm'] }] } } })

/** What a page shows of them, each once: the classes that lose, and all that stand with them. */
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
