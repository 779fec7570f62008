/** The differences between two revisions, in a drawer. */

import { Drawer } from '../../kit/Dialog.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { Changes } from './Changes.tsx'

type Props = { siteId: number; from: number; to: number; onClose: () => void }

export function CompareDrawer({ siteId, from, to, onClose }: Props) {
  const t = usePhrases('sites')
  return (
    <Drawer title={t('history.diff', { from: String(from), to: String(to) })} onClose={onClose}>
      <Changes siteId={siteId} from={from} to={to} />
    </Drawer>
  )
}
