/// <reference lib="dom" />
/** A person without a mouse: keyboard only, and what has focus determines what they can do. */
import type { Page } from 'playwright-core'
import { until } from '../harness/until.ts'

/** More than any page has between two of its elements. */
const tabsMax = 90

/** The accessible names of the elements that match these selectors; by default of the one with focus. */
const named = (page: Page, selectors = ':focus'): Promise<string[]> =>
  page.evaluate(
    (wanted) =>
      [...document.querySelectorAll<HTMLElement>(wanted)].map((here) => {
        const labels = 'labels' in here ? [...((here as HTMLInputElement).labels ?? [])] : []
        const by = here.getAttribute('aria-labelledby')
        const text =
          here.getAttribute('aria-label') ??
          (by ? document.getElementById(by)?.textContent : undefined) ??
          labels[0]?.textContent ??
          here.textContent
        return (text ?? '').trim()
      }),
    selectors,
  )

/** What the keyboard can reach, now or soon. */
const reachable = 'a, button, input, textarea, select, section, h1, [role], [tabindex], [contenteditable=true]'

const fits = (name: string, wanted: string | RegExp) =>
  typeof wanted === 'string' ? name === wanted : wanted.test(name)

export type Keys = {
  press: (...keys: string[]) => Promise<void>
  type: (text: string) => Promise<void>
  /** Presses a key, Tab by default, until the element with this name has focus. */
  reach: (wanted: string | RegExp, key?: string) => Promise<void>
  /** Waits until the element with this name gets focus by itself. */
  focused: (wanted: string | RegExp) => Promise<void>
}

export function keysOf(page: Page): Keys {
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const seen: string[] = []
  return {
    press,
    type: (text) => page.keyboard.type(text),
    async reach(wanted, key = 'Tab') {
      seen.length = 0
      // Pressing keys is useless while the page is still loading what they are to reach.
      await until(`${wanted} to be there`, async () =>
        (await named(page, reachable)).some((name) => fits(name, wanted)),
      )
      for (let i = 0; i < tabsMax; i++) {
        const [name = ''] = await named(page)
        if (fits(name, wanted)) return
        seen.push(name.slice(0, 30))
        await press(key)
      }
      throw new Error(`${wanted} was not reached by ${tabsMax} times ${key}: ${seen.join(' · ')}`)
    },
    focused: async (wanted) => {
      await until(`the focus to be on ${wanted}`, async () => (await named(page)).some((name) => fits(name, wanted)))
    },
  }
}
