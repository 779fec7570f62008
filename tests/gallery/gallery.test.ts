/// <reference lib="dom" />
/**
 * Every block of the kit in both themes and three languages: no accessibility faults, no horizontal scrolling, no
 * conflicting classes, no missing phrase, no console messages; reachable by Tab; and what its keys do.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { everything } from '../harness/everything.ts'
import { accessibilityFaults } from '../walk/browser.ts'
import { classClashes } from '../walk/class-clashes.ts'
import { type Gallery, openGallery, type View } from './gallery.ts'
import type { Keys } from './keys.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterAll(() => gallery?.close())

const all = (['light', 'dark'] as const).flatMap((theme) =>
  ['en_US', 'zh_TW', 'zh_CN'].map((locale) => ({ theme, locale })),
)
/** Each theme and each script (writing system) once; the rest is for `script/test --all`. */
const views = everything ? all : all.filter(({ theme, locale }) => locale === (theme === 'light' ? 'en_US' : 'zh_TW'))
/** Stories that cover the page, or have its only headline, and so are not on the page with all of them. */
const alone = [
  'Dialog/dialog',
  'Dialog/drawer',
  'Faults/list',
  'FormDrawer/drawer',
  'Overlay/overlay',
  'Overlay/pick list',
  'PageHead/head',
  'ReviewDialog/review',
  'RuleEditor/drawer',
]

/** Whatever is wider than the window, and texts that show a key or an unfilled placeholder. */
const badLooks = (keys: string[]) => {
  const { scrollWidth, clientWidth } = document.documentElement
  const wide = [...document.querySelectorAll<HTMLElement>('[data-story]')]
    .filter((story) => story.scrollWidth > story.clientWidth || story.getBoundingClientRect().right > clientWidth)
    .map((story) => `wider than the page: ${story.dataset.story}`)
  const spoken = [...document.querySelectorAll('body *')].flatMap((element) => [
    element.getAttribute('aria-label') ?? '',
    element.getAttribute('title') ?? '',
    ...[...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent ?? ''),
  ])
  const unsaid = spoken.filter((text) => /\{\w+\}/.test(text) || keys.includes(text.trim()))
  return [...(scrollWidth > clientWidth ? [`the page is ${scrollWidth} px wide`, ...wide] : []), ...unsaid]
}
// Imported by path: the types of the console's words belong to the console.
const words = join(import.meta.dirname, '../../console/src/kit/words/zh_TW.ts')
const { phrases } = (await import(words)) as { phrases: Record<string, string> }
const dottedKeys = Object.keys(phrases).filter((key) => key.includes('.'))

async function faultsOf(view: View): Promise<string[]> {
  await gallery.show({ ...view, width: 390 })
  const looks = await gallery.page.evaluate(badLooks, dottedKeys)
  // axe's findings depend on the colours and not on the language; class conflicts on neither.
  const faults =
    view.locale === 'en_US' ? [...(await accessibilityFaults(gallery.page)), ...(await classClashes(gallery.page))] : []
  return [...looks, ...faults, ...gallery.complaints()]
}

test.each(views)('all blocks are right in $theme and $locale', async (view) => {
  expect(await faultsOf(view)).toEqual([])
})

test.each(alone)('%s is right in both themes and all languages', async (story) => {
  for (const view of views) expect(await faultsOf({ story, ...view }), JSON.stringify(view)).toEqual([])
})

test('Tab reaches everything that can be pressed or typed into', async () => {
  await gallery.show()
  const { page } = gallery
  const expected = await page.evaluate(() => {
    const seen = new Set<EventTarget>()
    Object.assign(window, { seen })
    document.addEventListener('focusin', ({ target }) => target && seen.add(target))
    const kinds = 'a[href], button, input, textarea, select, [tabindex], [contenteditable=true]'
    const wanted = [...document.querySelectorAll<HTMLElement>(kinds)].filter(
      (element) =>
        element.tabIndex >= 0 &&
        element.checkVisibility({ visibilityProperty: true }) &&
        !element.matches(':disabled, [aria-disabled=true], [aria-hidden=true]'),
    )
    Object.assign(window, { wanted })
    return wanted.length
  })
  const missed = () =>
    page.evaluate(() => {
      const { seen, wanted } = window as unknown as { seen: Set<Element>; wanted: Element[] }
      // Where arrow keys move within a group, Tab may enter at any of its elements.
      const among = (element: Element) => [...(element.closest('[role=group]')?.children ?? []), element]
      return wanted
        .filter((element) => !among(element).some((one) => seen.has(one)))
        .map((element) => element.outerHTML.slice(0, 160))
    })
  expect(expected).toBeGreaterThan(60)
  // A date field takes several Tabs: one for each of its parts.
  for (let round = 0; round < 12 && (await missed()).length > 0; round += 1)
    for (let at = 0; at < expected / 4; at += 1) await page.keyboard.press('Tab')
  expect(await missed()).toEqual([])
})

for (const file of readdirSync(join(import.meta.dirname, 'keys'))) {
  const { block, keys } = (await import(`./keys/${file.replace('.ts', '')}.ts`)) as { block: string; keys: Keys }
  describe(block, () => {
    test.each(Object.entries(keys))('%s', async (_promise, press) => {
      await gallery.show({ story: block })
      await press(gallery.page)
      expect(gallery.complaints()).toEqual([])
    })
  })
}
