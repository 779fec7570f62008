/** The language of the console. */

import { Select } from '../kit/Select.tsx'
import { type Locale, locales, useLocale } from '../platform/locale.ts'
import { usePhrases } from '../platform/phrases.ts'

export function LanguageChoice() {
  const t = usePhrases('account')
  const { locale, setLocale } = useLocale()
  const options = (Object.keys(locales) as Locale[]).map((value) => ({ value, label: locales[value] }))
  return <Select label={t('language')} value={locale} onChange={setLocale} options={options} className="w-44" />
}
