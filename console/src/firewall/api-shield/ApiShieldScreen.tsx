/** API shield: the API document of a site, whether it is observed or enforced, and a draft of it from the log. */
import { ApiShield, apiShield, apiShieldDocument } from '@breakwater/contract/firewall/api-shield.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { PageHead } from '../../kit/PageHead.tsx'
import { SiteSettings } from '../../pickers/settings/SiteSettings.tsx'
import { useChange } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { DocumentField } from './DocumentField.tsx'
import { useReadingWords } from './reading-words.ts'

const Field = fieldsOf(ApiShield)

export function ApiShieldScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const tRules = usePhrases('rules')
  const check = useChange(apiShieldDocument.check)
  const wordsOf = useReadingWords()
  return (
    <>
      <PageHead title={t('shield.title')} help={t('shield.help')} />
      <SiteSettings
        group={apiShield}
        siteId={siteId}
        title={t('shield.panel')}
        help={t('shield.panelHelp')}
        can="firewall.write"
        trial={{
          label: t('shield.check'),
          run: async ({ document }) =>
            wordsOf(await check.mutateAsync({ siteId, body: { document: String(document) } })),
        }}
      >
        <Field.Switch name="enable" label={t('shield.enable')} />
        <Field.Select
          name="mode"
          label={tRules('mode')}
          help={t('shield.modeHelp')}
          options={[
            { value: 'observe', label: tRules('mode.observe') },
            { value: 'enforce', label: tRules('mode.enforce') },
          ]}
        />
        <DocumentField siteId={siteId} />
        <Field.Lines name="scope" label={t('shield.scope')} help={t('shield.scopeHelp')} max={20} placeholder="/api/" />
        <Field.Number
          name="bodyBytes"
          label={t('shield.bodyBytes')}
          unit={t('shield.bytes')}
          help={t('shield.bodyHelp')}
        />
        <Field.Select
          name="overBudget"
          label={t('shield.overBudget')}
          options={[
            { value: 'block', label: t('body.oversize.block') },
            { value: 'pass', label: t('body.oversize.pass') },
          ]}
        />
      </SiteSettings>
    </>
  )
}
