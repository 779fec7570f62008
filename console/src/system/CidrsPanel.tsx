/** Where the operator's own people may come from. Whoever would lock himself out is asked first. */
import { parseRange } from '@breakwater/contract/addresses.ts'
import { signInPolicy } from '@breakwater/contract/system/sign-in-policy.ts'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { showFault } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Loaded } from '../kit/Loaded.tsx'
import { SettingsSection } from '../kit/SettingsSection.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { Fault } from '../platform/fault.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'

const cidrsMax = 200
const wrong = (line: string) => (parseRange(line) ? undefined : 'wrongFormat')
const schema = z.object({
  cidrs: z
    .array(z.string().refine((line) => line.trim() === '' || parseRange(line.trim()) !== undefined, 'wrongFormat'))
    .max(cidrsMax, 'itemsExceedLimit'),
})
const Field = fieldsOf(schema)

export function CidrsPanel({ mayWrite }: { mayWrite: boolean }) {
  const t = usePhrases('system')
  const call = useCall(signInPolicy.getCidrs, {})
  return (
    <Loaded title={t('cidrs.title')} help={t('cidrs.help')} call={call}>
      {({ cidrs, address }) => <CidrsForm key={cidrs.join()} cidrs={cidrs} address={address} mayWrite={mayWrite} />}
    </Loaded>
  )
}

function CidrsForm({ cidrs, address, mayWrite }: { cidrs: string[]; address: string; mayWrite: boolean }) {
  const t = usePhrases('system')
  const update = useChange(signInPolicy.setCidrs, signInPolicy.getCidrs)
  const [asking, setAsking] = useState<string[]>()
  const save = (list: string[], confirm = false) => update.mutateAsync({ body: { cidrs: list, confirm } })
  const form = useResourceForm(schema, {
    values: { cidrs },
    async save(body) {
      const list = body.cidrs.map((line) => line.trim()).filter(Boolean)
      try {
        await save(list)
        toasts.done(t('saved'))
      } catch (error) {
        const locks = error instanceof Fault && error.fields.some(({ reason }) => reason === 'locksYouOut')
        if (!locks) throw error
        setAsking(list)
      }
    },
  })
  return (
    <>
      <SettingsSection form={form} mayWrite={mayWrite}>
        <Field.Lines
          name="cidrs"
          label={t('cidrs.label')}
          help={t('cidrs.yours', { address })}
          max={cidrsMax}
          placeholder="192.0.2.0/24"
          check={wrong}
        />
      </SettingsSection>
      {asking && (
        <Dialog
          title={t('cidrs.lockTitle')}
          onClose={() => setAsking(undefined)}
          footer={
            <>
              <Button onClick={() => setAsking(undefined)}>{t('cancel')}</Button>
              <Button
                look="danger"
                busy={update.isPending}
                onClick={() =>
                  save(asking, true)
                    .then(() => setAsking(undefined))
                    .catch(showFault)
                }
              >
                {t('cidrs.lockConfirm')}
              </Button>
            </>
          }
        >
          {t('cidrs.lockText', { address })}
        </Dialog>
      )}
    </>
  )
}
