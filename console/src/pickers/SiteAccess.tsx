/** How a site is reached before its DNS points here: the preview's address, and a line for any machine. */
import type { Domain } from '@breakwater/contract/domains/domains.ts'
import type { SiteDetail } from '@breakwater/contract/sites/sites.ts'
import { CopyText } from '../kit/CopyText.tsx'
import { OutLink } from '../kit/Link.tsx'
import { Panel } from '../kit/Panel.tsx'
import { usePhrases } from '../platform/phrases.ts'

const defaultHttpPort = 80
const isLoopback = (address: string) => address.startsWith('127.') || address === '::1'

/** The preview's address; a wildcard is previewed by its own host. */
export function previewUrl({ preview }: SiteDetail): string {
  return `http://${preview.host}${preview.httpPort === defaultHttpPort ? '' : `:${preview.httpPort}`}/`
}

type Props = { site: SiteDetail; domain: Pick<Domain, 'name' | 'ownership'> | undefined }

export function SiteAccess({ site, domain }: Props) {
  const t = usePhrases('sites')
  const { preview } = site
  const isPending = domain?.ownership.state === 'pending'
  // A domain whose owner is not proven is not served; until then the preview's name is.
  const host = domain && !isPending ? domain.name.replace(/^\*\./, 'www.') : preview.host
  const port = preview.httpPort
  const curl = `curl -i --resolve ${host}:${port}:${preview.nodeAddress} http://${host}${port === defaultHttpPort ? '' : `:${port}`}/`
  return (
    <Panel title={t('preview.title')}>
      <p className="mb-1 text-ink-2">{t('preview.here')}</p>
      <p className="mb-3 break-all">
        <OutLink href={previewUrl(site)}>{previewUrl(site)}</OutLink>
      </p>
      {/* An address of the node's own machine leads nowhere from another. */}
      <p className="mb-1 text-ink-2">{t(isLoopback(preview.nodeAddress) ? 'preview.onNode' : 'preview.elsewhere')}</p>
      <CopyText text={curl} block />
    </Panel>
  )
}
