import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkUrlRegex } from './url-regex.ts'

describe('a regular expression', () => {
  test.each([
    '^/login',
    '^/api/[a-z0-9-]+/\\d+$',
    '\\.(jpg|png|gif)$',
    '^/.*\\.php$',
    '(?:a|b)c',
    '/a{2,5}/',
    '^/wp-(admin|login)\\.php',
    '[^/]+/x',
    '^/(foo|bar)?/baz$',
    '\\(?x\\)?',
    '^/[\\w.-]+\\/\\s[^\\]]',
    '^/api/{id}',
    '^/中文/',
  ])('%s is accepted', (source) => expect(checkUrlRegex(source)).toBeUndefined())

  test.each([
    ['(', 'regexSyntax'],
    ['[z-a]', 'regexSyntax'],
    ['^(a+)+$', 'regexTooComplex'],
    ['(a*)*', 'regexTooComplex'],
    ['(a|a)*b', 'regexTooComplex'],
    ['(x+x+)+y', 'regexTooComplex'],
    ['.*.*=', 'regexTooComplex'],
    ['\\d+\\d+$', 'regexTooComplex'],
    ['a{1,5000}', 'regexTooComplex'],
    ['(?:\\"|\'|\\]|\\}|\\d)+[)]*;?((?:\\s|-|~|!)*.*(?:.*=.*))', 'regexTooComplex'],
    ['.{0,1000}.{0,1000}z', 'regexTooComplex'],
    ['(?=a)b', 'regexUnsupported'],
    ['(?<name>a)', 'regexUnsupported'],
    ['(a)\\1', 'regexUnsupported'],
    ['(a)\\g1', 'regexUnsupported'],
    ['(a)\\g<1>', 'regexUnsupported'],
    ['\\X', 'regexUnsupported'],
    ['\\C', 'regexUnsupported'],
    ['[[:alpha:]]', 'regexUnsupported'],
    ['[^[=a=]]', 'regexUnsupported'],
    ['[]a]', 'regexUnsupported'],
    ['[^]a]', 'regexUnsupported'],
    ['[\\w-z]', 'regexUnsupported'],
    ['[a-\\d]', 'regexUnsupported'],
    ['a{,3}', 'regexUnsupported'],
    ['[é]', 'regexUnsupported'],
    ['é+', 'regexUnsupported'],
  ])('%s is rejected: %s', (source, why) => expect(checkUrlRegex(source)).toBe(why))

  test('accepted expressions stay fast on hostile text', () => {
    const hostile = `/${'a'.repeat(5000)}!`
    for (const source of ['^/[a-z]+\\d$', '^/.*\\.php$', '^/(foo|bar)?/baz$', '^/a+b*c?$']) {
      // CPU time of this thread, in µs: the wall clock would include everybody else's.
      const before = process.threadCpuUsage()
      new RegExp(source).test(hostile)
      expect(process.threadCpuUsage(before).user).toBeLessThan(50_000)
    }
  })

  test('a backslash is accepted only before known letters and punctuation, inside brackets and outside', () => {
    const all = Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n))
    const letters = all.filter((char) => /[A-Za-z0-9]/.test(char))
    const accepted = (wrap: (char: string) => string) =>
      letters.filter((char) => checkUrlRegex(wrap(char)) === undefined).join('')
    expect(accepted((char) => `^/\\${char}`)).toBe('DSWdfnrstw')
    expect(accepted((char) => `^/[a\\${char}]`)).toBe('DSWdfnrstw')
    for (const char of all.filter((one) => !letters.includes(one)))
      expect([char, checkUrlRegex(`^/\\${char}`)]).toEqual([char, undefined])
  })

  // Perl stands in for PCRE: for anything that could be accepted here, their dialects agree.
  test('accepted expressions match alike in JavaScript and in the dialect of the edge', () => {
    const parts = [
      ...['a', 'b', '/', '.', '-', '_', '1', ',', ':', '=', '<', '>', '!', '#', '@', '%', '&', '"', "'", ' ', 'P', 'é'],
      ...['^', '$', '|', '(', '(?:', ')', '[', '[^', ']', '[a-z]', '[^/]', '[:alpha:]', '[a\\d-]', '[-a]', '[.a.]'],
      ...[
        '*',
        '+',
        '?',
        '*?',
        '+?',
        '++',
        '{2}',
        '{1,3}',
        '{2,}',
        '{,3}',
        '{',
        '}',
        '{ 1}',
        '(?=',
        '(?<',
        '(?i)',
        '(*',
      ],
      ...Array.from({ length: 95 }, (_, n) => `\\${String.fromCharCode(32 + n)}`),
      ...[
        '\\g1',
        '\\g{-1}',
        '\\g<1>',
        "\\k'a'",
        '\\x{61}',
        '\\x61',
        '\\p{L}',
        '\\pL',
        '\\N{U+61}',
        '\\Q.*\\E',
        '\\o{141}',
      ],
    ]
    // The same expressions in every run. Only Perl rejects a brace after an escaped letter.
    const made = fc.sample(fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 7 }), {
      numRuns: 60_000,
      seed: 1,
    })
    const sources = made
      .map((some) => some.join(''))
      .filter((source) => checkUrlRegex(source) === undefined && !/\\[a-zA-Z]\{(?!\d)/.test(source))
    expect(sources.length).toBeGreaterThan(5_000)
    const texts = [
      '',
      'a',
      'aab',
      '/a/b.php',
      'abc-_1',
      '(a)[b]{2}',
      'P:=<>!',
      '#@%&"\' ,',
      '\\.*+?^$|',
      'a1 b',
      'gkXCRhvQE',
    ]
    const ours = sources.map((source) => texts.map((text) => (new RegExp(source).test(text) ? 1 : 0)).join(''))
    const script = `binmode STDIN; my $t = <STDIN>; chomp $t; my @t = split /\\t/, $t, -1;
      while (my $s = <STDIN>) { chomp $s; no warnings; my $r = eval { qr/$s/ };
      print defined $r ? join('', map { $_ =~ $r ? 1 : 0 } @t) : 'refused', "\\n" }`
    const input = `${texts.join('\t')}\n${sources.join('\n')}\n`
    const theirs = execFileSync('perl', ['-e', script], { input, maxBuffer: 1e8 }).toString().trimEnd().split('\n')
    const apart = sources.flatMap((source, n) => (ours[n] === theirs[n] ? [] : [[source, ours[n], theirs[n]]]))
    expect(apart).toEqual([])
  })
})
