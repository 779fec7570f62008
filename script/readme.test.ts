import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const text = (name: string) => readFileSync(join(import.meta.dirname, '..', name), 'utf8')

test('the README claims a web application firewall only if the feature list has one', () => {
  const isThere = /^\|[^|]*WAF[^|]*\| works \|/m.test(text('docs/status.md'))
  const claims = /web.application.firewall/i
  if (!isThere) for (const name of ['README.md', 'package.json']) expect(text(name), name).not.toMatch(claims)
})

test('links between the documents are not broken', () => {
  const anchors = (page: string) =>
    [...page.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    )
  for (const [from, folder] of [
    ['README.md', ''],
    ['docs/operating.md', 'docs/'],
  ] as const) {
    for (const [, path = '', anchor] of text(from).matchAll(/\]\((?!http)([^)#]*)(?:#([^)]+))?\)/g)) {
      const page = text(path === '' ? from : `${folder}${path}`)
      if (anchor) expect(anchors(page), `${from} → ${path}#${anchor}`).toContain(anchor)
    }
  }
})
