import { useState } from 'react'
import { Input, SearchInput } from '../../kit/Input.tsx'
import type { Stories } from '../story.ts'

function Search() {
  const [text, setText] = useState('')
  return (
    <>
      <SearchInput label="Search sites" value={text} onChange={setText} />
      <output className="ml-2">{text}</output>
    </>
  )
}

export const stories: Stories = {
  plain: () => <Input aria-label="Name" defaultValue="shop" className="w-60" />,
  wrong: () => <Input aria-label="Name" aria-invalid defaultValue="shop!" className="w-60" />,
  search: () => <Search />,
}
