import { Badge, Status, Tag, Tags, type Tone } from '../../kit/Status.tsx'
import type { Stories } from '../story.ts'

const tones: Tone[] = ['ok', 'warn', 'bad', 'info', 'mute']

export const stories: Stories = {
  dots: () => (
    <div className="flex flex-wrap gap-4">
      {tones.map((tone) => (
        <Status key={tone} tone={tone} going={tone === 'info'}>
          {tone}
        </Status>
      ))}
    </div>
  ),
  badges: () => (
    <div className="flex flex-wrap gap-2">
      {tones.map((tone) => (
        <Badge key={tone} tone={tone}>
          {tone}
        </Badge>
      ))}
      <Tag>prod</Tag>
      <Tags values={['GET', 'POST']} />
    </div>
  ),
}
