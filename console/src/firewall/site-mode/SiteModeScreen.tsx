/**
 * Protection mode of a whole site: while it is on, every visitor is challenged, and those who keep being refused are
 * banned.
 */
import { SiteMode, siteMode, siteModes } from '@breakwater/contract/firewall/site-mode.ts'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { PageHead } from '../../kit/PageHead.tsx'
import { useBlockTypeOptions } from '../../pickers/rules/block-types.ts'
import { SiteSettings } from '../../pickers/settings/SiteSettings.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { SiteModeState } from './SiteModeState.tsx'

const Field = fieldsOf(SiteMode)

export function SiteModeScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('firewall')
  const tRules = usePhrases('rules')
  const blockTypes = useBlockTypeOptions(undefined)
  return (
    <>
      <PageHead title={t('whole.title')} help={t('whole.help')} />
      <SiteModeState siteId={siteId} />
      <SiteSettings
        group={siteMode}
        siteId={siteId}
        title={t('whole.panel')}
        help={t('whole.panelHelp')}
        can="firewall.write"
        done={t('whole.done')}
      >
        <Field.Switch name="enable" label={t('whole.enable')} help={t('whole.enableHelp')} />
        <Field.Select
          name="mode"
          label={t('whole.mode')}
          options={siteModes.map((value) => ({ value, label: t(`whole.mode.${value}`) }))}
        />
        <Field.Number
          name="threshold"
          label={t('whole.threshold')}
          unit={t('whole.thresholdUnit')}
          help={t('whole.thresholdHelp')}
        />
        <Field.Select name="blockType" label={tRules('blockType')} options={blockTypes} />
        <Field.Number
          name="blockSeconds"
          label={t('whole.blockSeconds')}
          unit={t('interval.unit')}
          help={t('whole.blockSecondsHelp')}
        />
        <Field.Lines
          name="whiteUrls"
          label={t('whole.whiteUrls')}
          help={t('whole.whiteUrlsHelp')}
          max={50}
          placeholder="/health"
        />
      </SiteSettings>
    </>
  )
}
