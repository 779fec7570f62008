import { Steps } from '../../kit/Steps.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = { second: () => <Steps names={['Domain', 'Origin', 'DNS']} at={1} /> }
