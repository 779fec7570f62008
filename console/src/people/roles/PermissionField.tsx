/**
 * Permissions in a form: a checkbox per group and per key, a sentence for each key, searchable. Users cannot grant what
 * they lack.
 */
import { type Permission, permissionsOfTier } from '@breakwater/contract/permissions.ts'
import { TriangleAlert } from 'lucide-react'
import { CheckTree } from '../../kit/CheckTree.tsx'
import { FieldFrame, useField } from '../../kit/fields/frame.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { useSelf } from '../../platform/session.ts'
import { grouped, usePermissionWords } from './permission-words.ts'

export function PermissionField({ name, label }: { name: string; label: string }) {
  const t = usePhrases('people')
  const words = usePermissionWords()
  const self = useSelf()
  const { field, error } = useField(name)
  const chosen = new Set((field.value ?? []) as Permission[])
  const ofTier = permissionsOfTier(self.auth)
  const mine = new Set<Permission>(self.permissions)
  const set = (keys: readonly string[], on: boolean) =>
    field.onChange(ofTier.filter((key) => (keys.includes(key) ? on && mine.has(key) : chosen.has(key))))
  const branches = grouped(ofTier).map(({ group, keys }) => ({
    key: group,
    label: words.group(group),
    leaves: keys.map((key) => {
      const beyond = mine.has(key) ? undefined : t('tree.beyond')
      return {
        key,
        text: `${key} ${words.sentence(key)}`,
        isClosed: beyond !== undefined,
        title: beyond,
        label: (
          <Key
            name={key}
            sentence={words.sentence(key)}
            danger={chosen.has(key) ? words.danger(key) : undefined}
            beyond={beyond}
          />
        ),
      }
    }),
  }))
  return (
    <FieldFrame name={name} label={label} error={error} aside={t('tree.count', { n: chosen.size, max: ofTier.length })}>
      <CheckTree branches={branches} chosen={chosen} onChange={set} searchLabel={t('tree.search')} none={t('nobody')} />
    </FieldFrame>
  )
}

type KeyProps = { name: Permission; sentence: string; danger: string | undefined; beyond: string | undefined }

function Key({ name, sentence, danger, beyond }: KeyProps) {
  return (
    <>
      <span className={beyond ? 'text-ink-3' : undefined}>{sentence}</span>{' '}
      <code className="mono text-ink-3 text-xs">{name}</code>
      {beyond && <span className="block text-ink-3 text-xs">{beyond}</span>}
      {danger && (
        <span className="flex items-start gap-1 text-warn text-xs">
          <TriangleAlert size={12} aria-hidden className="mt-0.5 shrink-0" />
          {danger}
        </span>
      )}
    </>
  )
}
