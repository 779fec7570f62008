import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Marked, marked } from '../../kit/Marked.tsx'
import { type RuleRow, RuleTable } from '../../kit/RuleTable.tsx'
import { loaded } from '../loaded.ts'
import type { Stories } from '../story.ts'

type Rule = RuleRow & { path: string }
const base = { enabled: true, expiresAt: null, updatedAt: '2026-01-01T00:00:00Z', createdBy: 'ann' } as const
const rules: Rule[] = [
  { ...base, id: 1, path: '^/login', memo: 'Sign-in page', mode: 'observe' },
  { ...base, id: 2, path: '^/api/', memo: '', mode: 'enforce' },
  { ...base, id: 3, path: '^/old/', memo: '', mode: 'enforce', expiresAt: '2026-01-02T00:00:00Z' },
]
const hours = [0, 0, 40, 220, 1_460, 3_900, 5_200, 1_660]
const hitsOf = (id: number) => (id === 1 ? { requests: 12_480, hours } : { requests: 0, hours: hours.map(() => 0) })
const fixed = {
  label: 'Rules',
  list: 'gallery.rules',
  state: { page: 1, pageSize: 25, orderBy: 'desc' } as const,
  go: () => undefined,
  words: ({ path }: Rule) => ({ when: `the path matches ${marked(path)}`, does: 'slider captcha' }),
  removal: 'They stop within a second.',
  empty: { title: 'No rules yet', text: 'Make the first one.', action: <Button look="solid">Add rule</Button> },
}

function Table() {
  const [rows, setRows] = useState(rules)
  const [opened, setOpened] = useState('nothing')
  return (
    <div data-order={rows.map(({ id }) => id).join()}>
      <RuleTable
        {...fixed}
        call={loaded({ data: rows, total: rows.length })}
        onOpen={({ path }) => setOpened(path)}
        hits={new Map(rules.map(({ id }) => [id, hitsOf(id)]))}
        hitsAt={({ id }) => ({ listed: id })}
        actions={{
          set: async (ids, patch) =>
            setRows((now) => now.map((rule) => (ids.includes(rule.id) ? { ...rule, ...patch } : rule))),
          remove: async (ids) => setRows((now) => now.filter(({ id }) => !ids.includes(id))),
          move: async ({ id }, to) =>
            setRows((now) => {
              const others = now.filter((rule) => rule.id !== id)
              return others.toSpliced(to, 0, now.find((rule) => rule.id === id)!)
            }),
        }}
      />
      <output>{opened}</output>
    </div>
  )
}

export const stories: Stories = {
  rules: () => <Table />,
  read: () => (
    <RuleTable
      {...fixed}
      label="Rules to read"
      list="gallery.rules.read"
      call={loaded({ data: rules, total: 3 })}
      actions={{}}
      onOpen={() => undefined}
    />
  ),
  none: () => (
    <RuleTable
      {...fixed}
      label="No rules"
      call={loaded({ data: [], total: 0 })}
      actions={{ set: async () => undefined, remove: async () => undefined }}
      onOpen={() => undefined}
      templates={[{ label: 'Protect the sign-in page', begin: () => undefined }]}
    />
  ),
  sentence: () => <Marked text={`When the path matches ${marked('^/login')}, then block`} />,
}
