/// <reference lib="dom" />
/** Every block of the kit, in both themes and three languages: no accessibility fault, no sideways scroll, nothing on the console; and what its keys do. */
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accessibilityFaults } from '../walk/browser.ts'
import { buildGallery, type Gallery, type View } from './gallery.ts'
import type { Keys } from './keys.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await buildGallery()
}, 120_000)
afterAll(() => gallery?.close())

const views = (['light', 'dark'] as const).flatMap((theme) =>
  ['en_US', 'zh_TW', 'zh_CN'].map((locale) => ({ theme, locale })),
)
/** Stories that cover the page, which are not on the one with all. */
const covering = ['Dialog/dialog', 'Dialog/drawer']

async function faultsOf(view: View): Promise<string[]> {
  const { page, complaints } = await gallery.open({ ...view, width: 390 })
  const wide = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    return [...document.querySelectorAll<HTMLElement>('[data-story]')]
      .filter((story) => story.scrollWidth > story.clientWidth || story.getBoundingClientRect().right > clientWidth)
      .map((story) => `wider than the page: ${story.dataset.story}`)
      .concat(`the page is ${scrollWidth} px wide`)
  })
  const faults = await accessibilityFaults(page)
  await page.context().close()
  return [...wide, ...faults, ...complaints]
}

test.each(views)(
  'all blocks are right in $theme and $locale',
  async (view) => {
    expect(await faultsOf(view)).toEqual([])
  },
  60_000,
)

test.each(covering.flatMap((story) => views.map((view) => ({ story, ...view }))))(
  '$story is right in $theme and $locale',
  async (view) => {
    expect(await faultsOf(view)).toEqual([])
  },
)

for (const file of readdirSync(new URL('./keys', import.meta.url))) {
  const { block, keys } = (await import(`./keys/${file}`)) as { block: string; keys: Keys }
  describe(block, () => {
    test.each(Object.entries(keys))('%s', async (_promise, press) => {
      const { page, complaints } = await gallery.open({ story: block })
      await press(page)
      expect(complaints).toEqual([])
      await page.context().close()
    })
  })
}
