/** The page of one kind of rule: its header, its list as sentences, and the add button. */
import type { ReactNode } from 'react'
import { PageHead } from '../../kit/PageHead.tsx'
import { AddButton, RoomWords } from '../../kit/Room.tsx'
import { RuleTable } from '../../kit/RuleTable.tsx'
import { useMedia } from '../../platform/media.ts'
import { usePhrases } from '../../platform/phrases.ts'
import type { RuleFields } from '../../platform/rule-kinds.ts'
import { useRuleWords } from './use-rule-words.ts'
import type { Rules } from './useRules.ts'

type Props = {
  rules: Rules
  title: string
  help: string
  /** `action` replaces the add button if something else must come first. */
  empty: { title: string; text: string; action?: ReactNode }
  /** What removing does, if it differs from removing a firewall rule. */
  removal?: string
  /** Adds the names of what a rule refers to by number. */
  told?: (rule: RuleFields) => RuleFields
  templates?: readonly { label: string; rule: object }[]
  /** Other actions of the page. */
  aside?: ReactNode
  /** Content between header and list. */
  children?: ReactNode
}

export function SiteRules({ rules, title, help, empty, removal, told, templates = [], ...rest }: Props) {
  const t = usePhrases('rules')
  const words = useRuleWords()
  const isPhone = useMedia('phone')
  const { room } = rules
  const full = t('full', { max: room.max })
  const add = rules.mayWrite && (
    <AddButton look="solid" room={room} label={t('add')} full={full} onPress={() => rules.open()} />
  )
  return (
    <>
      <PageHead
        title={title}
        beside={<RoomWords room={room} text={t('room', { n: room.total ?? 0, max: room.max })} full={full} />}
        help={rules.actions.move ? t(isPhone ? 'order.helpTouch' : 'order.help', { help }) : help}
      >
        {rest.aside}
        {add}
      </PageHead>
      {rest.children}
      <RuleTable
        label={title}
        list={rules.name}
        call={rules.call}
        readPage={rules.readPage}
        state={rules.state}
        go={rules.go}
        words={(rule) => words(rules.kind, told ? told(rule) : rule)}
        actions={rules.actions}
        onOpen={({ id }) => rules.go({ edit: id })}
        hits={rules.hits}
        hitsAt={({ id }) => ({ tab: 'logs', view: 'search', range: '24h', f: [`rule:${id}`] })}
        hasMode={rules.hasMode}
        removal={removal ?? t('remove.text')}
        empty={{ action: add, ...empty }}
        templates={templates.map(({ label, rule }) => ({ label, begin: () => rules.open(rule) }))}
      />
    </>
  )
}
