/** The drawer for one rule: its conditions, its action, a test before it is saved; observe or enforce. */
import { Plus, X } from 'lucide-react'
import { type BaseSyntheticEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useFormContext } from 'react-hook-form'
import { usePhrases } from '../platform/phrases.ts'
import { Button, IconButton } from './Button.tsx'
import { cn } from './cn.ts'
import { FormDrawer } from './FormDrawer.tsx'
import { SwitchField } from './fields/choices.tsx'
import { MomentField } from './fields/MomentField.tsx'
import { MemoField } from './fields/TextField.tsx'
import { ReviewDialog } from './ReviewDialog.tsx'
import type { RuleRow } from './rule-row.ts'
import { Segments } from './Toggle.tsx'
import type { ResourceForm } from './useResourceForm.ts'

export type RuleCondition = {
  /** The name of the form field. */
  name: string
  label: string
  control: ReactNode
  /** The value that means "any": a condition that has one is optional. */
  any?: unknown
}

type Props = {
  form: ResourceForm
  /** The stored rule; undefined for a new one. */
  stored: Pick<RuleRow, 'mode'> | undefined
  conditions: readonly RuleCondition[]
  /** What the rule does, if that can be chosen. */
  action?: ReactNode
  /** Tests the rule against past requests. */
  trial?: ReactNode
  /** What saving changes, shown before an observing rule begins to enforce. */
  review?: (values: unknown) => ReactNode
  /** Whether the rule can merely observe. */
  hasMode?: boolean
  /** Whether it lets requests pass: it then allows instead of blocking. */
  isAllow?: boolean
  onClose: () => void
}

export function RuleEditor({ form, stored, hasMode = true, review, onClose, ...parts }: Props) {
  const t = usePhrases('rules')
  const [isReviewing, setReviewing] = useState(false)
  const mode = form.methods.watch('mode') as RuleRow['mode']
  const begins = hasMode && stored?.mode === 'observe' && mode === 'enforce'
  async function submit(event?: BaseSyntheticEvent) {
    event?.preventDefault()
    if (begins && (await form.methods.trigger())) setReviewing(true)
    else await form.submit(event)
  }
  /** Validation errors appear at their fields, so the review closes in any case. */
  async function save(as: RuleRow['mode']) {
    form.methods.setValue('mode', as, { shouldDirty: true })
    setReviewing(false)
    await form.submit()
  }
  return (
    <>
      <FormDrawer
        form={{ ...form, submit }}
        title={t(stored ? 'edit' : 'add')}
        onClose={onClose}
        {...(hasMode ? { saveLabel: t(`save.${mode}`) } : {})}
      >
        <Section title={t('conditions')}>
          <Conditions conditions={parts.conditions} />
        </Section>
        {(parts.action || hasMode) && (
          <Section title={t('does')}>
            {parts.action}
            {hasMode && <ModeField isAllow={parts.isAllow === true} />}
          </Section>
        )}
        {parts.trial}
        <Section title={t('details')}>
          <MemoField name="memo" label={t('memo')} />
          {hasMode && <MomentField name="expiresAt" label={t('expires')} help={t('expires.help')} />}
          <SwitchField name="enabled" label={t('enabled')} />
        </Section>
      </FormDrawer>
      {isReviewing && (
        <ReviewDialog
          title={t('review.one')}
          affected={t('review.oneText')}
          choices={[
            { label: t('keepObserving'), look: 'line', act: () => save('observe') },
            { label: t('enforceNow'), act: () => save('enforce') },
          ]}
          onClose={() => setReviewing(false)}
        >
          {review?.(form.methods.getValues())}
        </ReviewDialog>
      )}
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mb-3 border-line border-t pt-4 first:border-t-0 first:pt-0">
      <h3 id={id} className="mb-3 font-semibold">
        {title}
      </h3>
      {children}
    </section>
  )
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** A list of conditions, all of which must hold; optional ones can be added and removed. */
function Conditions({ conditions }: { conditions: readonly RuleCondition[] }) {
  const t = usePhrases('rules')
  const { watch, setValue } = useFormContext()
  const [added, setAdded] = useState<readonly string[]>([])
  const isShown = ({ name, any }: RuleCondition) =>
    any === undefined || added.includes(name) || !isSame(watch(name), any)
  // The pressed button disappears, so the focus moves on: to the new field, or to the button that would add it again.
  const frame = useRef<HTMLDivElement>(null)
  const next = useRef<string>(undefined)
  useEffect(() => {
    if (next.current === undefined) return
    const at = frame.current?.querySelector(`[data-condition="${next.current}"]`)
    at?.querySelector<HTMLElement>('input, textarea, button')?.focus()
    next.current = undefined
  })
  function add(name: string) {
    next.current = name
    setAdded([...added, name])
  }
  function remove({ name, any }: RuleCondition) {
    next.current = name
    setAdded(added.filter((one) => one !== name))
    setValue(name, any, { shouldDirty: true, shouldValidate: true })
  }
  const shown = conditions.filter(isShown)
  const left = conditions.filter((condition) => !isShown(condition))
  const canLeave = shown.some(({ any }) => any !== undefined)
  return (
    <div ref={frame}>
      {shown.map((condition, index) => (
        <div key={condition.name} className="flex items-start gap-2">
          <span aria-hidden className="w-9 shrink-0 pt-[29px] text-ink-3 text-xs">
            {t(index > 0 ? 'also' : 'where')}
          </span>
          <div data-condition={condition.name} className="min-w-0 flex-1">
            {condition.control}
          </div>
          <span className={cn('w-[26px] shrink-0 pt-[29px]', !canLeave && 'hidden')}>
            {condition.any !== undefined && (
              <IconButton
                size="iconSm"
                label={t('condition.remove', { name: condition.label })}
                onClick={() => remove(condition)}
              >
                <X size={14} aria-hidden />
              </IconButton>
            )}
          </span>
        </div>
      ))}
      {left.length > 0 && (
        <div className="mb-4 flex flex-wrap gap-1.5 pl-11">
          {left.map(({ name, label }) => (
            <span key={name} data-condition={name}>
              <Button size="sm" look="ghost" onClick={() => add(name)}>
                <Plus size={13} aria-hidden />
                {t('also')} {label}
              </Button>
            </span>
          ))}
        </div>
      )}
    </div>
  )
}

function ModeField({ isAllow }: { isAllow: boolean }) {
  const t = usePhrases('rules')
  const { watch, setValue } = useFormContext()
  return (
    <div className="mb-4">
      <div className="mb-1.5 font-medium">{t('mode')}</div>
      <Segments<RuleRow['mode']>
        label={t('mode')}
        value={watch('mode')}
        onChange={(mode) => setValue('mode', mode, { shouldDirty: true })}
        options={[
          { value: 'observe', label: t('mode.observe') },
          { value: 'enforce', label: t(isAllow ? 'mode.allow' : 'mode.enforce') },
        ]}
      />
      <p className="mt-1 text-ink-3 text-xs">{t('mode.help')}</p>
    </div>
  )
}
