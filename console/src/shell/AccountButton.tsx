/** The avatar button. Its menu is loaded when somebody is about to open it. */
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { useSelf } from '../platform/session.ts'

const load = () => import('./AccountMenu.tsx')
const AccountMenu = lazy(async () => ({ default: (await load()).AccountMenu }))
/** A failed load is retried when the menu is opened. */
const prepare = () => void load().catch(() => undefined)

export function AccountButton() {
  const [isWanted, setWanted] = useState(false)
  const avatar = (
    <Avatar aria-haspopup="menu" onPointerEnter={prepare} onFocus={prepare} onClick={() => setWanted(true)} />
  )
  return isWanted ? (
    <Suspense fallback={avatar}>
      <AccountMenu trigger={<Avatar />} />
    </Suspense>
  ) : (
    avatar
  )
}

function Avatar(props: ComponentProps<'button'>) {
  const t = usePhrases('shell')
  const self = useSelf()
  return (
    <button
      type="button"
      className="grid size-7 shrink-0 place-items-center rounded-full bg-mute font-semibold text-[11px] text-ink hover:outline-2 hover:outline-line-strong pointer-coarse:size-10"
      {...props}
    >
      <span aria-hidden>{(self.name || self.account).slice(0, 2).toUpperCase()}</span>
      <span className="sr-only">{t('menu.account')}</span>
    </button>
  )
}
