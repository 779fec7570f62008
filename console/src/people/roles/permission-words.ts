/** Permissions in words: the sentence for a key, the name of its group, and why it should be granted with care. */
import { permissionNames } from '@breakwater/contract/permission-names.ts'
import { type Permission, permissionTree } from '@breakwater/contract/permissions.ts'
import { type Say, usePhrases } from '../../platform/phrases.ts'

export type Words = {
  sentence: (key: Permission) => string
  group: (name: string) => string
  /** A key in a word or two, shown below the name of its group. */
  verb: (key: Permission) => string
  danger: (key: Permission) => string | undefined
}

export function permissionWords(t: Say<'permissions'>): Words {
  const say = (key: string): string | undefined => {
    const text = (t as (key: string) => string)(key)
    return text === key ? undefined : text
  }
  return {
    sentence: (key) => say(key) ?? permissionNames[key],
    group: (name) => say(`group.${name}`) ?? t('group.other'),
    verb(key) {
      const [area, verb] = key.split('.') as [string, string]
      return [say(`area.${area}`), say(`verb.${verb}`) ?? verb].filter(Boolean).join(' ')
    },
    danger: (key) => say(`danger.${key}`),
  }
}

export const usePermissionWords = (): Words => permissionWords(usePhrases('permissions'))

/** The keys of a console by group, in the order of the tree. */
export function grouped(keys: readonly Permission[]): { group: string; keys: Permission[] }[] {
  return Object.entries(permissionTree)
    .map(([group, all]) => ({ group, keys: (all as readonly Permission[]).filter((key) => keys.includes(key)) }))
    .filter((one) => one.keys.length > 0)
}
