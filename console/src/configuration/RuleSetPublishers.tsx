/** The publishers whose signatures on WAF rule sets are trusted. */
import {
  RuleSetPublishers as Fields,
  type RuleSetPublisher,
  ruleSetPublishers,
} from '@breakwater/contract/nodes/rule-set-publishers.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { GroupSettings } from '../pickers/settings/GroupSettings.tsx'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(Fields)

export function RuleSetPublishers() {
  const t = usePhrases('configuration')
  return (
    <GroupSettings
      group={ruleSetPublishers}
      title={t('publishers')}
      help={t('publishers.help')}
      can="zones.write"
      consequence={t('publishers.removeText')}
    >
      {({ publishers }) => (
        <>
          <Publishers list={publishers as RuleSetPublisher[]} />
          <Field.Block
            name="keys"
            label={t('publishers.keys')}
            help={t('publishers.keysHelp')}
            placeholder="-----BEGIN PGP PUBLIC KEY BLOCK-----"
          />
          <Field.Switch name="required" label={t('publishers.required')} help={t('publishers.requiredHelp')} />
        </>
      )}
    </GroupSettings>
  )
}

/** The saved publishers. */
function Publishers({ list }: { list: RuleSetPublisher[] }) {
  const t = usePhrases('configuration')
  if (list.length === 0) return <p className="pb-3 text-ink-3">{t('publishers.empty')}</p>
  return (
    <ul aria-label={t('publishers')} className="grid gap-3 pb-3">
      {list.map(({ name, fingerprint }) => (
        <li key={fingerprint} className="grid gap-1">
          <span className="break-all font-medium">{name}</span>
          <code className="mono break-all text-ink-3 text-xs">{fingerprint}</code>
        </li>
      ))}
    </ul>
  )
}
