import { Outlet } from '@tanstack/react-router'
import { AccountButton } from './AccountButton.tsx'
import { LanguageMenu, ThemeMenu } from './menus.tsx'

/** While the first password must be set, there is no other navigation. */
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
