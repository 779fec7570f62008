/** Secrets to hand over by other means (a link, a token, a key), each below its purpose. They are not shown again. */
import { usePhrases } from '../platform/phrases.ts'
import { Button } from './Button.tsx'
import { CopyText } from './CopyText.tsx'
import { cn } from './cn.ts'
import { Dialog } from './Dialog.tsx'

type Handed = { text: string; about: string; warns?: boolean }

export function CopyDialog({ title, texts, onClose }: { title: string; texts: Handed[]; onClose: () => void }) {
  const t = usePhrases('kit')
  return (
    <Dialog
      wide
      title={title}
      onClose={onClose}
      footer={
        <Button look="solid" onClick={onClose}>
          {t('understood')}
        </Button>
      }
    >
      {texts.map(({ text, about, warns = false }) => (
        <div key={about} className="not-first:mt-4">
          <p className={cn('mb-2', warns ? 'text-warn' : 'text-ink-2')}>{about}</p>
          <CopyText text={text} block />
        </div>
      ))}
    </Dialog>
  )
}
