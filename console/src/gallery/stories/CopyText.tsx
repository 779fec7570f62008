import { CopyButton, CopyText } from '../../kit/CopyText.tsx'
import type { Stories } from '../story.ts'

export const stories: Stories = {
  inline: () => <CopyText text="shop.example.cdn.breakwater.test" />,
  block: () => <CopyText block text="01980e2f-6f0e-7a3c-9c71-2f6f8a6b1c5e-01980e2f-6f0e-7a3c-9c71-2f6f8a6b1c5e" />,
  button: () => <CopyButton text="192.0.2.1" />,
}
