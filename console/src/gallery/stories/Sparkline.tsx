import { Sparkline } from '../../kit/Sparkline.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  hours: () => <Sparkline values={[3, 5, 4, 9, 14, 11, 6]} label="52 requests in 7 hours" />,
  none: () => <Sparkline values={[0, 0, 0]} label="No requests in 3 hours" />,
}
