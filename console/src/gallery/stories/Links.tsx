import { Link, OutLink } from '../../kit/Link.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  inside: () => <Link to="/">shop.example</Link>,
  outside: () => <OutLink href="https://example.org">Documentation</OutLink>,
}
