import { expect, test } from 'vitest'
import { xmlDecoded } from './xml-references.ts'

const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

test.each([
  ['a &lt;b&gt; &amp;lt; &quot;&apos;', 'a <b> &lt; "\''],
  ['&#x7B;&#125;&#0000059;', '{};'],
  ['&#233;&#x20AC;&#x1F600;', utf8('é€😀')],
  ['&none; & &; &#; &#x; &#xG; &#1a; &#0; &#x110000; &lt', '&none; & &; &#; &#x; &#xG; &#1a; &#0; &#x110000; &lt'],
  ['&&lt;&lt;&', '&<<&'],
])('%s is %s', (text, meant) => expect(xmlDecoded(text)).toBe(meant))
