/** Light, dark, or the system's setting. An early script sets it before the first paint. */
import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const storageKey = 'breakwater.theme'
const system = () => matchMedia('(prefers-color-scheme: dark)')
const watchers = new Set<() => void>()

function stored(): Theme {
  const value = localStorage.getItem(storageKey)
  return themes.find((theme) => theme === value) ?? 'system'
}

function apply(): void {
  const theme = stored()
  document.documentElement.classList.toggle('dark', theme === 'dark' || (theme === 'system' && system().matches))
  for (const watch of watchers) watch()
}

export function setTheme(theme: Theme): void {
  localStorage.setItem(storageKey, theme)
  apply()
}

/** Follows changes of the system's setting, and those made in another tab. */
export function followTheme(): void {
  system().addEventListener('change', apply)
  addEventListener('storage', (event) => event.key === storageKey && apply())
}

const subscribe = (watch: () => void) => {
  watchers.add(watch)
  return () => watchers.delete(watch)
}
export const useTheme = (): Theme => useSyncExternalStore(subscribe, stored)
/** Whether the theme is dark now, for what is painted rather than styled. */
export const useIsDark = (): boolean =>
  useSyncExternalStore(subscribe, () => document.documentElement.classList.contains('dark'))
