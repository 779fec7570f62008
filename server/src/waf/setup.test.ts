/** The uploader's own files of a rule set: its settings and exclusions, and which of them have no effect. */
import { expect, test } from 'vitest'
import { compileFolder } from './compile-folder.ts'
import { SecLangErrors } from './directives.ts'
import { readRuleSet } from './read-rule-set.ts'
import { usesControls } from './rule-set.ts'
import { archiveOf } from './testing/archive.ts'

const beforeFile = 'REQUEST-900-EXCLUSION-RULES-BEFORE-CRS.conf'

const initial = `SecComponentSignature "OWASP_CRS/4.0.0"
SecRule &TX:allowed_methods "@eq 0" "id:901160,phase:1,pass,nolog,setvar:'tx.allowed_methods=GET HEAD'"
SecRule &TX:critical_anomaly_score "@eq 0" "id:901140,phase:1,pass,nolog,setvar:'tx.critical_anomaly_score=5'"`
const rule = (id: number, rest: string) =>
  `SecRule ${rest.replace('"id', `"id:${id},phase:2,block,t:none,msg:'Rule ${id}'`)}\n`
const scored = `"id,tag:'OWASP_CRS',tag:'attack-sqli',setvar:'tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}'"`
const methods = rule(911_100, `REQUEST_METHOD "!@within %{tx.allowed_methods}" ${scored}`)
const limits = `SecRule &TX:max_num_args "@eq 1" "id:920380,phase:2,block,t:none,chain"
  SecRule &ARGS "@gt %{tx.max_num_args}" "t:none,setvar:'tx.inbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}'"`
const sqli = rule(942_100, `ARGS|ARGS_NAMES "@detectSQLi" ${scored}`) + rule(942_200, `ARGS "@rx a" ${scored}`)
const answers = `SecRule RESPONSE_BODY "@rx secret" "id:951100,phase:4,block,t:none,tag:'attack-disclosure',setvar:'tx.outbound_anomaly_score_pl1=+%{tx.critical_anomaly_score}'"`

const folder = (own: Record<string, string>) =>
  compileFolder(
    new Map(
      Object.entries({
        ...{ 'REQUEST-901-INITIALIZATION.conf': initial, 'REQUEST-911-METHOD-ENFORCEMENT.conf': methods },
        ...{ 'REQUEST-920-PROTOCOL-ENFORCEMENT.conf': limits, 'REQUEST-942-APPLICATION-ATTACK-SQLI.conf': sqli },
        ...{ 'RESPONSE-951-DATA-LEAKAGES-SQL.conf': answers, ...own },
      }),
    ),
    'rules',
  )
const setup = (text: string) => folder({ 'crs-setup.conf': text })
const after = (text: string) => folder({ 'RESPONSE-999-EXCLUSION-RULES-AFTER-CRS.conf': text })
const idsOf = ({ part, responses }: ReturnType<typeof folder>) =>
  [...part.rules, ...(responses?.rules ?? [])].map(({ id }) => id)
const ruleOf = ({ part }: ReturnType<typeof folder>, id: number) => part.rules.find((one) => one.id === id)!
const problemsOf = (read: () => unknown): string[] => {
  try {
    read()
  } catch (error) {
    if (error instanceof SecLangErrors) return error.list.map(({ message }) => message)
    throw error
  }
  return []
}

test('settings of crs-setup.conf override those of 901, several in one action, quoted or not', () => {
  const found = setup(`SecAction \\
    "id:900200,\\
    phase:1,pass,t:none,nolog,tag:'OWASP_CRS',ver:'OWASP_CRS/4.0.0',\\
    setvar:'tx.allowed_methods=GET HEAD PUT',setvar:tx.max_num_args=3,\\
    setvar:TX.critical_anomaly_score=7"
SecRule &TX:max_num_args "@eq 0" "id:900300,phase:1,pass,nolog,setvar:tx.max_num_args=9"`)
  expect(ruleOf(found, 911_100).conditions[0]).toMatchObject({ argument: 'GET HEAD PUT', score: 7 })
  expect(ruleOf(found, 920_380).conditions[0]).toMatchObject({ operator: 'gt', argument: '3', score: 7 })
  expect(found.leftOut).toEqual([])
  const without = folder({})
  expect(ruleOf(without, 911_100).conditions[0]).toMatchObject({ argument: 'GET HEAD', score: 5 })
  expect(ruleOf(without, 920_380)).toBe(undefined)
})

test('the settings of an unmodified release change nothing and leave nothing out', () => {
  const released = setup(`# ModSecurity
SecDefaultAction "phase:1,log,auditlog,pass"
SecDefaultAction "phase:2,log,auditlog,pass"
SecCollectionTimeout 600
SecAction "id:900990,phase:1,nolog,pass,t:none,setvar:tx.crs_setup_version=334"`)
  expect(released).toEqual(folder({}))
  expect(released.leftOut).toEqual([])
})

test('settings that sites choose themselves, and unused ones, are left out and reported with their location', () => {
  const { leftOut } = setup(`SecRuleEngine DetectionOnly
SecDefaultAction "phase:2,log,auditlog,deny,status:403"
SecAction "id:1,phase:1,pass,setvar:tx.blocking_paranoia_level=3,setvar:tx.inbound_anomaly_score_threshold=10"
SecAction "id:2,phase:1,pass,setvar:tx.plugin_enabled=1,ctl:auditEngine=Off"
SecRuleRemoveById 942999`)
  const at = (line: number, what: string, reason: string) => ({ file: 'crs-setup.conf', line, what, reason })
  expect(leftOut).toEqual([
    at(1, 'SecRuleEngine DetectionOnly', 'own'),
    at(2, 'SecDefaultAction phase:2,log,auditlog,deny,status:403', 'own'),
    at(3, 'tx.blocking_paranoia_level=3', 'own'),
    at(3, 'tx.inbound_anomaly_score_threshold=10', 'own'),
    at(4, 'ctl:auditEngine=Off', 'own'),
    at(4, 'tx.plugin_enabled=1', 'unused'),
    at(5, 'SecRuleRemoveById 942999', 'unused'),
  ])
})

test('exclusions remove rules by id, tag and message, and values from what rules inspect', () => {
  expect(idsOf(folder({}))).toEqual([911_100, 942_100, 942_200, 951_100])
  expect(idsOf(after('SecRuleRemoveById 942100 951000-951999'))).toEqual([911_100, 942_200])
  expect(idsOf(after('SecRuleRemoveByTag "attack-.*"'))).toEqual([])
  expect(idsOf(after('SecRuleRemoveByMsg "Rule 9422"'))).toEqual([911_100, 942_100, 951_100])
  expect(idsOf(setup('SecAction "id:1,phase:1,pass,nolog,ctl:ruleRemoveById=942100"'))).toEqual([
    911_100, 942_200, 951_100,
  ])
  const spared = { from: 'ARGS', name: 'pwd', except: true }
  for (const found of [
    after('SecRuleUpdateTargetById 942100-942199 "!ARGS:pwd"'),
    setup('SecAction "id:1,phase:1,pass,nolog,ctl:ruleRemoveTargetById=942100;ARGS:pwd"'),
  ]) {
    expect(ruleOf(found, 942_100).conditions[0]!.targets).toEqual([{ from: 'ARGS' }, { from: 'ARGS_NAMES' }, spared])
    expect(ruleOf(found, 942_200).conditions[0]!.targets).toEqual([{ from: 'ARGS' }])
  }
  const byTag = after('SecRuleUpdateTargetByTag attack-sqli "!ARGS:pwd"')
  expect([942_100, 942_200].map((id) => ruleOf(byTag, id).conditions[0]!.targets.at(-1))).toEqual([spared, spared])
})

test('rules before the others exclude rules, or values, for requests that they match: also for response rules', () => {
  const found = folder({
    [beforeFile]: `SecRule REQUEST_URI "@beginsWith /admin" "id:1000,phase:1,pass,nolog,\\
  ctl:ruleRemoveByTag=attack-.*"
SecRule REQUEST_METHOD "@streq POST" "id:1001,phase:1,pass,nolog,chain"
  SecRule REQUEST_FILENAME "@endsWith /login" "ctl:ruleRemoveTargetById=942100;ARGS:pwd"
SecRule ARGS:x "@rx y" "id:1002,phase:2,pass,nolog,ctl:ruleRemoveById=1"`,
  })
  expect(idsOf(found)).toEqual([1000, 1001, 1002, 911_100, 942_100, 942_200, 1000, 951_100])
  expect([911_100, 942_100, 942_200].map((id) => ruleOf(found, id).unlessMatched)).toEqual([[1000], [1000], [1000]])
  expect(found.responses!.rules.map(({ unlessMatched }) => unlessMatched)).toEqual([undefined, [1000]])
  expect(ruleOf(found, 942_100).conditions[0]!.targets.at(-1)).toEqual({
    ...{ from: 'ARGS', name: 'pwd', except: true, ifMatched: 1001 },
  })
  expect(usesControls(found)).toBe(true)
  expect(found.texts.map(({ id }) => id)).toEqual([1000, 1001, 1002, 911_100, 942_100, 942_200, 951_100])
  expect(found.leftOut).toEqual([{ file: beforeFile, line: 5, what: 'ctl:ruleRemoveById=1', reason: 'unused' }])
})

test.each([
  [
    beforeFile,
    'SecRule ARGS:a "@rx b" "id:1,phase:2,pass,ctl:ruleRemoveByTag=attack-disclosure"',
    'ctl:ruleRemoveByTag=attack-disclosure of rules about answers by ARGS is not known',
  ],
  [
    beforeFile,
    'SecRule ARGS:a "@rx b" "id:1,phase:2,pass,ctl:ruleEngine=Off"',
    'the action ctl:ruleEngine=Off is not known',
  ],
  [
    'crs-setup.conf',
    'SecAction "id:1,setvar:tx.enforce_bodyproc_urlencoded=1"',
    'the setting enforce_bodyproc_urlencoded is not known',
  ],
  [
    'crs-setup.conf',
    'SecAction "id:1,setvar:tx.crs_exclusions_wordpress=1"',
    'the setting crs_exclusions_wordpress is not known',
  ],
  ['crs-setup.conf', 'SecAction "id:1,setvar:ip.seen=1"', 'setvar:ip.seen=1 is not known'],
  ['crs-setup.conf', 'SecAction "id:1,setvar:tx.max_num_args=+1"', 'setvar:tx.max_num_args=+1 is not known'],
  [
    'crs-setup.conf',
    'SecAction "id:1,setvar:tx.max_num_args=%{ARGS.n}"',
    'a setting that changes with the request: setvar:tx.max_num_args=%{ARGS.n}',
  ],
  ['crs-setup.conf', 'SecAction "id:1,setvar:tx.critical_anomaly_score=lots"', 'the score lots is not known: 0 to 100'],
  ['crs-setup.conf', 'SecAction "id:1,deny"', 'the action deny of a setting is not known'],
  [
    'crs-setup.conf',
    'SecAction "id:1,ctl:requestBodyProcessor=JSON"',
    'the action ctl:requestBodyProcessor=JSON is not known',
  ],
  ['crs-setup.conf', 'SecGeoThing x', 'SecGeoThing is not known'],
  [
    'crs-setup.conf',
    `SecRule REQUEST_URI "@beginsWith /api" "id:1,phase:1,pass,setvar:'tx.allowed_methods=GET PUT'"`,
    'the setting allowed_methods that changes with the request is not known',
  ],
  [
    'REQUEST-900-EXCLUSION-RULES-BEFORE-CRS.conf',
    'SecRule REMOTE_ADDR "@ipMatch 192.0.2.1" "id:1,phase:1,pass"',
    'the variable REMOTE_ADDR is not known',
  ],
  [
    'RESPONSE-999-EXCLUSION-RULES-AFTER-CRS.conf',
    'SecRuleUpdateActionById 949110 "deny"',
    'SecRuleUpdateActionById is not known behind the rules',
  ],
  ['RESPONSE-999-EXCLUSION-RULES-AFTER-CRS.conf', 'SecRuleRemoveByTag "("', 'the expression ( is not known'],
])('in %s, %s is an error with its location', (file, text, problem) => {
  const [first, ...more] = problemsOf(() => folder({ [file]: `# here\n${text}` }))
  expect(first).toContain(`${file}:2: ${problem}`)
  expect(more).toEqual([])
})

test('the setup is found where releases and packages put it, or else its example', async () => {
  const text = (methods: string) => `SecAction "id:1,phase:1,pass,setvar:'tx.allowed_methods=${methods}'"`
  const rules: [string, string][] = [
    ['crs/rules/REQUEST-901-INITIALIZATION.conf', initial],
    ['crs/rules/REQUEST-911-METHOD-ENFORCEMENT.conf', methods],
  ]
  const methodsOf = async (...own: [string, string][]) => {
    const read = await readRuleSet(
      await archiveOf([...rules, ...own].map(([name, given]) => ({ name, text: given }))),
      'x',
    )
    if (!('compiled' in read)) throw new Error(JSON.stringify(read))
    return read.compiled.part.rules[0]!.conditions[0]!.argument
  }
  expect(await methodsOf()).toBe('GET HEAD')
  expect(await methodsOf(['crs/crs-setup.conf.example', text('A')])).toBe('A')
  expect(await methodsOf(['crs/crs-setup.conf.example', text('A')], ['crs/crs-setup.conf', text('B')])).toBe('B')
  expect(await methodsOf(['other/old/crs-setup.conf', text('A')], ['crs/crs-setup.conf', text('B')])).toBe('B')
  expect(await methodsOf(['etc/modsecurity/crs-setup.conf', text('C')])).toBe('C')
  expect(await methodsOf(['crs/rules/REQUEST-900-EXCLUSION-RULES-BEFORE-CRS.conf', text('D')])).toBe('D')
})
