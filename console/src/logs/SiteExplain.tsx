/**
 * Inside a site: why one of its requests was refused, and what would happen to a request. Both stay within that site.
 */
import { ExplainScreen } from './ExplainScreen.tsx'
import { TracePanel } from './TracePanel.tsx'

export const SiteExplain = ({ siteId }: { siteId: number }) => (
  <ExplainScreen siteId={siteId}>
    <TracePanel key={siteId} siteId={siteId} />
  </ExplainScreen>
)
