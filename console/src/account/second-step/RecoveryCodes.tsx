/** Recovery codes, shown once: to copy, save as a file or print. */
import { useId } from 'react'
import { Button } from '../../kit/Button.tsx'
import { copyText } from '../../kit/CopyText.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { useSelf } from '../../platform/session.ts'

export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = usePhrases('account')
  const { account } = useSelf()
  const id = useId()
  const title = t('codes.file', { account })
  const text = [title, '', ...codes, ''].join('\n')
  function download() {
    const link = document.createElement('a')
    link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    link.download = `recovery-codes-${account}.txt`
    link.click()
    URL.revokeObjectURL(link.href)
  }
  return (
    <>
      <p id={id} className="mb-3">
        {t('codes.shown')}
      </p>
      <div className="print-only-this">
        <p className="hidden print:block">{title}</p>
        <ul
          aria-labelledby={id}
          className="mono grid grid-cols-2 gap-x-4 gap-y-1 rounded-control border border-line bg-sunken px-3 py-2.5 max-sm:grid-cols-1"
        >
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button onClick={() => copyText(codes.join('\n'))}>{t('codes.copy')}</Button>
        <Button onClick={download}>{t('codes.download')}</Button>
        <Button onClick={() => print()}>{t('codes.print')}</Button>
      </div>
      <Button look="solid" className="mt-4 w-full" onClick={onDone}>
        {t('codes.done')}
      </Button>
    </>
  )
}
