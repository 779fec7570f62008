/** The zone's own protection on all its nodes, whichever site is requested. */
import { verifiedBotsMax } from '@breakwater/contract/edge/verified-bots.ts'
import { verifiedBots } from '@breakwater/contract/nodes/zone-bots.ts'
import { zoneConfiguration } from '@breakwater/contract/nodes/zone-configuration.ts'
import {
  invalidDomainLimitCountSettings,
  kernelBans,
  zoneAntiCC,
  zoneFirewall,
  zoneIpset,
  zoneIpsetCalls,
} from '@breakwater/contract/nodes/zone-firewall.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { useBlockTypeOptions } from '../pickers/rules/block-types.ts'
import { GroupSettings } from '../pickers/settings/GroupSettings.tsx'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { TryZone } from './TryZone.tsx'
import { ZoneBanList } from './ZoneBanList.tsx'

const refreshes = [zoneConfiguration.status, zoneConfiguration.history, zoneFirewall.get]
const Ipset = fieldsOf(zoneIpset.schema)
const AntiCC = fieldsOf(zoneAntiCC.schema)
const Invalid = fieldsOf(invalidDomainLimitCountSettings.schema)
const Bots = fieldsOf(verifiedBots.schema)
const Kernel = fieldsOf(kernelBans.schema)
const ipsMax = 5000

/** Resetting this list to its defaults means flushing it. */
const ipset = {
  ...zoneIpset,
  calls: { ...zoneIpset.calls, remove: zoneIpsetCalls.flush },
} as unknown as typeof zoneIpset

export function ZoneFirewall({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const tRules = usePhrases('rules')
  const blockTypes = useBlockTypeOptions(undefined)
  const common = { place: { zoneId }, can: 'zones.write', refreshes } as const
  return (
    <>
      <PageHead title={t('firewall')} help={t('firewall.help')} />
      <GroupSettings group={ipset} title={t('ipset')} help={t('ipset.help')} consequence={t('ipset.flush')} {...common}>
        <Ipset.Switch name="enable" label={t('ipset.enable')} />
        <Ipset.Lines
          name="ips"
          label={t('ipset.ips')}
          help={t('ipset.ipsHelp')}
          max={ipsMax}
          placeholder="192.0.2.0/24"
          apart
        />
        <TryZone zoneId={zoneId} kind="list" />
      </GroupSettings>
      <GroupSettings group={zoneAntiCC} title={t('zoneCC')} help={t('zoneCC.help')} {...common}>
        <AntiCC.Switch name="enable" label={t('zoneCC.enable')} />
        <AntiCC.Number name="seconds" label={t('zoneCC.seconds')} unit={t('seconds')} />
        <AntiCC.Number name="times" label={t('zoneCC.times')} help={t('zoneCC.timesHelp')} />
        <AntiCC.Select name="blockType" label={tRules('blockType')} options={blockTypes} />
        <TryZone zoneId={zoneId} kind="limit" />
      </GroupSettings>
      <GroupSettings
        group={invalidDomainLimitCountSettings}
        title={t('invalidHosts')}
        help={t('invalidHosts.help')}
        {...common}
      >
        <Invalid.Number
          name="invalidDomainLimitCount"
          label={t('invalidHosts.count')}
          help={t('invalidHosts.countHelp')}
        />
      </GroupSettings>
      <GroupSettings group={verifiedBots} title={t('bots')} help={t('bots.help')} {...common}>
        <Bots.Switch name="enable" label={t('bots.enable')} />
        <Bots.Lines
          name="bots"
          label={t('bots.list')}
          help={t('bots.listHelp')}
          max={verifiedBotsMax}
          placeholder="ExampleBot bots.example.com 192.0.2.0/24"
        />
      </GroupSettings>
      <GroupSettings group={kernelBans} title={t('kernelBans')} help={t('kernelBans.help')} {...common}>
        <Kernel.Switch name="enable" label={t('kernelBans.enable')} />
        <NodesThatDrop zoneId={zoneId} />
      </GroupSettings>
      <div className="mt-3">
        <ZoneBanList zoneId={zoneId} />
      </div>
    </>
  )
}

/** How many nodes of the zone can drop packets: the others refuse in nginx. */
function NodesThatDrop({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const { data } = useCall(zoneConfiguration.status, { zoneId })
  if (!data) return null
  const able = data.nodes.filter(({ canDropPackets }) => canDropPackets).length
  return <p className="mb-3 text-ink-2">{t('kernelBans.nodes', { able, n: data.nodes.length })}</p>
}
