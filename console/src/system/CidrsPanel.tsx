/**
 * The addresses from which the operator's own people may sign in. Users who would lock themselves out are asked for
 * confirmation.
 */
import { parseRange } from '@breakwater/contract/addresses.ts'
import { signInPolicy } from '@breakwater/contract/system/sign-in-policy.ts'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Loaded } from '../kit/Loaded.tsx'
import { SettingsSection } from '../kit/SettingsSection.tsx'
import { useMergedForm } from '../pickers/conflicts/useMergedForm.ts'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { Fault } from '../platform/fault.ts'
import { usePhrases } from '../platform/phrases.ts'

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
      {({ cidrs, address }) => <CidrsForm cidrs={cidrs} address={address} mayWrite={mayWrite} />}
    </Loaded>
  )
}

const listed = (lines: string[]): string[] => lines.map((line) => line.trim()).filter(Boolean)

type Policy = z.output<typeof schema>
/** The pending question about a list that would lock its author out. */
type Asking = { save: () => void; cancel: () => void }

function CidrsForm({ cidrs, address, mayWrite }: { cidrs: string[]; address: string; mayWrite: boolean }) {
  const t = usePhrases('system')
  const update = useChange(signInPolicy.setCidrs, signInPolicy.getCidrs)
  const [asking, setAsking] = useState<Asking>()
  async function write(body: Policy & { basedOn?: Policy }) {
    try {
      await update.mutateAsync({ body })
    } catch (error) {
      const locks = error instanceof Fault && error.fields.some(({ reason }) => reason === 'locksYouOut')
      if (!locks) throw error
      const isSure = await new Promise<boolean>((resolve) =>
        setAsking({ save: () => resolve(true), cancel: () => resolve(false) }),
      )
      setAsking(undefined)
      if (!isSure) throw error
      await update.mutateAsync({ body: { ...body, confirm: true } })
    }
  }
  const { form, dialog } = useMergedForm<Policy>(schema, {
    stored: { cidrs },
    fieldsOf: (policy) => policy,
    write: (fields, basedOn) => write({ cidrs: listed((fields as Policy).cidrs), ...(basedOn && { basedOn }) }),
    readNow: async () => ({ cidrs: (await send(signInPolicy.getCidrs, {})).cidrs }),
    done: t('saved'),
    stays: (fields) => ({ cidrs: listed((fields as Policy).cidrs) }),
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
          apart
        />
        {dialog}
      </SettingsSection>
      {asking && (
        <Dialog
          title={t('cidrs.lockTitle')}
          onClose={asking.cancel}
          footer={
            <>
              <Button onClick={asking.cancel}>{t('cancel')}</Button>
              <Button look="danger" onClick={asking.save}>
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
