import { Outlet } from '@tanstack/react-router'
import { AccountButton } from './AccountButton.tsx'
import { LanguageMenu, ThemeMenu } from './menus.tsx'

/** While a first password has to be chosen, nothing else leads anywhere. */
export function BareShell() {
  return (
    <>
      <header className="flex justify-end gap-1 p-3">
        <LanguageMenu />
        <ThemeMenu />
        <AccountButton />
      </header>
      <main className="mx-auto max-w-[440px] px-4 pt-10">
        <Outlet />
      </main>
    </>
  )
}
