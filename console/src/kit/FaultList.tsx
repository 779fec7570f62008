/** The dialog for error 101009: each code's sentence with its targets. */
import { Fault } from '../platform/fault.ts'
import { usePhrases } from '../platform/phrases.ts'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { faultText, showList } from './faults.tsx'

export function FaultList({ fault }: { fault: Fault }) {
  const t = usePhrases('kit')
  const errors = usePhrases('errors')
  const close = () => showList(undefined)
  return (
    <Dialog
      title={errors('multipleErrors')}
      onClose={close}
      footer={
        <Button look="solid" onClick={close}>
          {t('understood')}
        </Button>
      }
    >
      <dl className="space-y-2">
        {fault.errorData.map(({ code, message, targets, extra }) => (
          <div key={JSON.stringify([code, extra])}>
            <dt className="font-medium">{faultText(new Fault({ code, message, extra, status: 400 }), errors, t)}</dt>
            <dd className="mono break-all text-ink-2">{targets.join(', ')}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
