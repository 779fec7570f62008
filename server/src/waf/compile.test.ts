/**
 * SecLang to data: the compiler's errors for rules that nodes cannot evaluate, and its output for those that they can.
 */
import { expect, test } from 'vitest'
import { type Compiled, compileRules } from './compile.ts'
import { coreRuleSet } from './core-rule-set.ts'

const compile = (text: string, settings: [string, string][] = []): Compiled =>
  compileRules({
    ...{ name: 'test', settings: new Map(settings), files: [{ name: 'rules.conf', text }] },
    readWords: (file) => {
      if (file !== 'words.data') throw new Error('no such file')
      return '# words\nSqlMap\n\nnikto\n'
    },
  })

test('targets, transformations, operators, chains, scores and levels become data', () => {
  const { part } = compile(
    `# a comment
SecRule ARGS|!ARGS:/^pass/|REQUEST_COOKIES:'sid'|&REQUEST_HEADERS:Host "!@rx a\\"b|c" \\
  "id:1,phase:2,block,capture,t:none,t:lowercase,t:urlDecodeUni,multiMatch,msg:'It\\'s, one',\\
  tag:'paranoia-level/2',setvar:'tx.found=%{tx.1}',chain"
  SecRule TX:found "@within %{tx.allowed}" "setvar:'tx.anomaly_score_pl2=+%{tx.warning_anomaly_score}'"
SecRule REQUEST_HEADERS:User-Agent "@pmFromFile words.data" "id:2,phase:1,pass,skipAfter:END"
SecRule &TX:never_set "@eq 1" "id:3,phase:2,block"
SecRule REQUEST_METHOD "GET" "id:4,phase:2,block"
SecMarker "END"`,
    [['allowed', 'a b']],
  )
  expect(part.rules).toEqual([
    {
      id: 1,
      level: 2,
      conditions: [
        {
          targets: [
            { from: 'ARGS' },
            { from: 'ARGS', pattern: '^pass', except: true },
            { from: 'REQUEST_COOKIES', name: 'sid' },
            { from: 'REQUEST_HEADERS', name: 'host', count: true },
          ],
          ...{ transforms: ['lowercase', 'urlDecodeUni'], multiMatch: true, operator: 'rx', negated: true },
          ...{ argument: 'a"b|c', capture: true, sets: [{ name: 'found', value: '%{tx.1}' }] },
        },
        { targets: [{ from: 'TX', name: 'found' }], transforms: [], operator: 'within', argument: 'a b', score: 3 },
      ],
    },
    {
      ...{ id: 2, level: 1, skip: 1 },
      conditions: [
        {
          ...{ targets: [{ from: 'REQUEST_HEADERS', name: 'user-agent' }], transforms: [], operator: 'pm' },
          ...{ argument: '', words: ['sqlmap', 'nikto'] },
        },
      ],
    },
    {
      ...{ id: 4, level: 1 },
      conditions: [
        { targets: [{ from: 'REQUEST_METHOD' }], transforms: [], operator: 'rx', argument: 'GET', score: 5 },
      ],
    },
  ])
})

test('a refusing rule scores: by its own score, or by its severity if it has none', () => {
  const { part } = compile(
    `SecRule ARGS "@rx a" "id:1,phase:2,deny,status:403"
SecRule ARGS "@rx b" "id:2,phase:2,block,severity:'WARNING'"
SecRule ARGS "@rx c" "id:3,phase:2,deny,severity:3,chain"
  SecRule REQUEST_METHOD "@rx POST" "t:none"
SecRule ARGS "@rx d" "id:4,phase:2,block,setvar:'tx.inbound_anomaly_score_pl1=+7'"
SecRule ARGS "@rx e" "id:5,phase:2,pass,severity:'CRITICAL'"`,
    [['error_anomaly_score', '6']],
  )
  const scores = part.rules.map(({ conditions }) => conditions.map(({ score }) => score ?? 0))
  expect(scores).toEqual([[5], [3], [0, 6], [7], [0]])
})

test('conditions on settings are evaluated: rules that can never match are left out, others lose these', () => {
  const { part } = compile(
    `SecRule TX:mode "@eq 1" "id:1,chain"
  SecRule ARGS "@rx a" "setvar:'tx.seen=1'"
SecRule TX:mode "!@eq 1" "id:2,chain"
  SecRule ARGS "@rx a"
SecRule &TX:missing "@eq 1" "id:3,chain"
  SecRule ARGS "@rx a"
SecRule &TX:missing "@eq 0" "id:4,skipAfter:END"
SecRule TX:missing "!@eq 1" "id:5"
SecRule TX:seen "@eq 1" "id:6"
SecMarker "END"`,
    [['mode', '1']],
  )
  expect(
    part.rules.map(({ id, skip, conditions }) => [id, skip, conditions.map(({ targets }) => targets[0]!.from)]),
  ).toEqual([
    [1, undefined, ['ARGS']],
    [4, 1, ['REQUEST_METHOD']],
    [6, undefined, ['TX']],
  ])
})

test('target updates by rule id are applied, except for values that the rule does not inspect anyway', () => {
  const { part } = compile(
    `SecRule ARGS|REQUEST_COOKIES "@rx a" "id:1"
SecRule ARGS "@rx b" "id:2"
SecRule ARGS "@rx c" "id:9"
SecRuleUpdateTargetById 1-2 "!REQUEST_COOKIES:/^_ga/"
SecRuleUpdateTargetById 9 !ARGS:token`,
  )
  const spared = { from: 'REQUEST_COOKIES', pattern: '^_ga', except: true }
  expect(part.rules.map(({ conditions }) => conditions[0]!.targets)).toEqual([
    [{ from: 'ARGS' }, { from: 'REQUEST_COOKIES' }, spared],
    [{ from: 'ARGS' }],
    [{ from: 'ARGS' }, { from: 'ARGS', name: 'token', except: true }],
  ])
})

test.each([
  ['SecRule GEO:COUNTRY "@streq X" "id:1"', 'rules.conf:1: the variable GEO:COUNTRY is not known'],
  ['\n# x\nSecRule ARGS "@geoLookup" "id:1"', 'rules.conf:3: the operator @geoLookup is not known'],
  ['SecRule ARGS "@rx a" "id:1,t:sha1"', 'rules.conf:1: the transformation sha1 is not known'],
  ['SecRule ARGS "@rx a" "id:1,exec:/bin/sh"', 'rules.conf:1: the action exec:/bin/sh is not known'],
  ['SecRule ARGS "@rx a" "id:1,ctl:ruleEngine=Off"', 'rules.conf:1: the action ctl:ruleEngine=Off is not known'],
  ['SecRule ARGS "@rx a" "id:1,chain"', 'rules.conf:1: a chain has no end'],
  ['SecRule ARGS "@rx a" "phase:2"', 'rules.conf:1: a rule has no id'],
  ['SecRule ARGS "@rx a" "id:1,skipAfter:X"', 'rules.conf:1: the marker X is not there'],
  ['SecRule ARGS "@pmFromFile other.data" "id:1"', 'rules.conf:1: other.data cannot be read: no such file'],
  ['SecRule ARGS "@rx ^%{request_headers.host}" "id:1"', 'rules.conf:1: an expression that changes with the request'],
  ['SecRule ARGS "@streq %{GEO.CODE}" "id:1"', 'rules.conf:1: the place %{GEO.CODE} is not known'],
  [`SecRule ARGS "@rx a" "id:1,setvar:'tx.a=%{UNIQUE_ID}'"`, 'rules.conf:1: the place %{UNIQUE_ID} is not known'],
  ['SecRuleUpdateTargetById rx "!ARGS:a"', 'rules.conf:1: SecRuleUpdateTargetById of rx is not known'],
  ['SecRuleScript x.lua', 'rules.conf:1: SecRuleScript is not known'],
  ['SecRule ARGS "@rx a', 'rules.conf:1: a quote has no end'],
])('%s is an error with its location', (text, problem) => {
  expect(() => compile(text)).toThrow(problem)
})

test("Debian's Core Rule Set compiles completely", () => {
  const { part, texts } = coreRuleSet()
  expect(part.name).toMatch(/^OWASP CRS 3\.3\.\d+$/)
  expect(part.rules.length).toBeGreaterThan(190)
  expect(texts.every(({ name, category }) => name !== '' && /^[A-Z-]+$/.test(category))).toBe(true)
})
