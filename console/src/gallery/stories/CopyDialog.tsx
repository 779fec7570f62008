import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { CopyDialog } from '../../kit/CopyDialog.tsx'
import type { Stories } from '../story.ts'

const texts = [
  { text: 'bw_5fc1c7a2e0d94b0f', about: 'It is shown this once.', warns: true },
  {
    text: "curl -H 'Authorization: Bearer bw_5fc1c7a2e0d94b0f' https://cdn.example.com/api/v1/apiTokens",
    about: 'Use',
  },
]

function Opened() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Make a token</Button>
      {isOpen && <CopyDialog title="Token" texts={texts} onClose={() => setIsOpen(false)} />}
    </>
  )
}

export const stories: Stories = { plain: () => <Opened /> }
