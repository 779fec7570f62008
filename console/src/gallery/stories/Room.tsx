import { AddButton, RoomWords } from '../../kit/Room.tsx'
import type { Stories } from '../story.ts'

const full = 'All 100 rules are used: remove one to add another'
const shown = (total: number) => (
  <div className="flex items-center gap-3">
    <RoomWords room={{ total, max: 100 }} text={`${total} of 100 rules`} full={full} />
    <AddButton look="solid" room={{ total, max: 100 }} label="Add rule" full={full} onPress={() => undefined} />
  </div>
)

export const stories: Stories = {
  'room left': () => shown(3),
  full: () => shown(100),
}
