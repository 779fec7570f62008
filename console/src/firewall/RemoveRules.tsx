/** The bulk action of every rule list: delete the chosen ones. */
import { usePhrases } from '../app/phrases.ts'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { toasts } from '../kit/toasts.ts'

type Props = { rules: readonly { id: number }[]; remove: (ids: number[]) => Promise<unknown>; onDone: () => void }

export function RemoveRules({ rules, remove, onDone }: Props) {
  const t = usePhrases('firewall')
  return (
    <ConfirmButton
      size="sm"
      label={t('remove.label')}
      title={t('remove.title', { n: rules.length })}
      consequence={t('remove.text')}
      confirmLabel={t('remove.label')}
      onConfirm={async () => {
        await remove(rules.map(({ id }) => id))
        toasts.done(t('done.removed'))
        onDone()
      }}
    />
  )
}
