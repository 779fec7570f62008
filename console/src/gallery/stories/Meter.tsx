import { Meter } from '../../kit/Meter.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  low: () => <Meter share={0.42} text="42%" />,
  high: () => <Meter share={0.97} text="97%" />,
}
