/** A settings group: a panel with its fields, which are saved together, and a reset to the defaults. */
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import type { SettingsGroup, SettingsOwner } from '@breakwater/contract/settings.ts'
import type { ReactNode } from 'react'
import type { z } from 'zod'
import { ConfirmButton } from '../../kit/ConfirmButton.tsx'
import { Failed } from '../../kit/faults.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { SettingsSection } from '../../kit/SettingsSection.tsx'
import { useCall, useChange } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { useMay } from '../../platform/session.ts'
import { toasts } from '../../platform/toasts.ts'
import { Trial, type TrialAnswer } from './Trial.tsx'
import { useSettingsForm } from './useSettingsForm.ts'

/** Internally, all groups have the same shape; the screen knows their fields. */
type Stored = Record<string, unknown>
type Group = SettingsGroup<'site', z.ZodObject, Stored>

type Props<Body extends z.ZodObject> = {
  group: SettingsGroup<SettingsOwner, Body, unknown>
  /** The owner of the settings, as path parameters of the group's calls; omitted if it is the operator. */
  place?: { siteId?: number; zoneId?: number; nodeId?: number }
  title: string
  help: string
  /** The success toast of a save. */
  done?: string
  can: Permission
  /** What a reset to the defaults deletes, if that is more than settings. */
  consequence?: string
  /** Tests the input before it is saved, and resolves with the result. */
  trial?: { label: string; run(body: z.input<Body>): Promise<string | TrialAnswer> }
  /** Further calls to fetch again after a save, besides the group's own. */
  refreshes?: readonly AnyEndpoint[]
  /** The fields (`fieldsOf(schema)`), which may depend on the stored settings. */
  children: ReactNode | ((stored: Stored) => ReactNode)
}

export function GroupSettings<Body extends z.ZodObject>({ group, place = {}, title, help, ...rest }: Props<Body>) {
  const t = usePhrases('kit')
  const anyGroup = group as unknown as Group
  const call = useCall(anyGroup.calls.get, place as { siteId: number })
  return (
    <Panel title={title} className="mt-3 max-w-[880px]">
      <p className="mb-3 text-ink-2">{help}</p>
      {group.reloads && <p className="mb-3 text-ink-3 text-xs">{t('settings.reloads')}</p>}
      {call.data !== undefined ? (
        <SettingsForm group={anyGroup} place={place} stored={call.data} {...rest} />
      ) : call.isError ? (
        <Failed fault={call.error} retry={() => call.refetch()} />
      ) : (
        <div className="skeleton h-24" />
      )}
    </Panel>
  )
}

type FormProps = Omit<Props<z.ZodObject>, 'group' | 'place' | 'title' | 'help'> & {
  group: Group
  place: object
  stored: Stored
}

/**
 * The fields of a response that are sent back. A secret is returned empty, with a flag that tells whether it is set.
 */
const sentFields = (group: Group, stored: Stored): Stored =>
  Object.fromEntries(Object.keys(group.schema.shape).map((field) => [field, stored[field]]))

/** A saved secret is not displayed again. */
const withoutSecrets = (body: Stored, stored: Stored): Stored =>
  Object.fromEntries(Object.entries(body).map(([field, value]) => [field, `${field}Set` in stored ? '' : value]))

function SettingsForm({ group, place, stored, done, can, consequence, trial, refreshes = [], children }: FormProps) {
  const of = place as { siteId: number }
  const t = usePhrases('kit')
  const mayWrite = useMay()(can)
  const { calls, defaults } = group
  const remove = useChange(calls.remove, calls.get, ...refreshes)
  const { form, dialog, begin } = useSettingsForm(group.schema as z.ZodObject, {
    calls,
    place: of,
    refreshes,
    stored: sentFields(group, stored),
    fieldsOf: (answer) => sentFields(group, answer),
    done: done ?? t('settings.saved'),
    stays: (body) => withoutSecrets(body, stored),
  })
  const isDefault = Object.entries(defaults).every(
    ([field, value]) => JSON.stringify(value) === JSON.stringify(stored[field]),
  )
  return (
    <SettingsSection
      form={form}
      mayWrite={mayWrite}
      aside={
        <div className="flex flex-wrap items-start gap-3">
          {!isDefault && (
            <ConfirmButton
              label={t('settings.toDefaults')}
              title={t('settings.toDefaults')}
              consequence={consequence ?? t('siteId' in place ? 'settings.toDefaultsText' : 'settings.toDefaultsOnly')}
              confirmLabel={t('settings.toDefaults')}
              onConfirm={async () => {
                await remove.mutateAsync(of)
                begin(sentFields(group, defaults))
                toasts.done(t('settings.saved'))
              }}
            />
          )}
          {trial && (
            <Trial
              label={trial.label}
              check={() => form.methods.trigger()}
              run={() => trial.run(form.methods.getValues())}
            />
          )}
        </div>
      }
    >
      {typeof children === 'function' ? children(stored) : children}
      {dialog}
    </SettingsSection>
  )
}
