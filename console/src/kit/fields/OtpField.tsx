/** A six-digit code, one box per digit: typed, pasted into any of them, or filled in by the phone. */
import { OTPField } from '@base-ui/react/otp-field'
import { usePhrases } from '../../platform/phrases.ts'
import { cn } from '../cn.ts'
import { inputClass } from '../Input.tsx'
import { FieldFrame, type FieldProps, useField } from './frame.tsx'

const digits = 6
const places = Array.from({ length: digits }, (_, index) => index)

export function OtpField(props: FieldProps & { autoFocus?: boolean }) {
  const t = usePhrases('kit')
  const { field, error } = useField(props.name)
  return (
    <FieldFrame {...props} error={error}>
      <OTPField.Root
        length={digits}
        value={String(field.value ?? '')}
        onValueChange={field.onChange}
        onBlur={field.onBlur}
        className="flex gap-2"
      >
        {places.map((at) => (
          <OTPField.Input
            key={at}
            ref={at === 0 ? field.ref : undefined}
            autoFocus={at === 0 && props.autoFocus === true}
            aria-label={at === 0 ? undefined : t('otp.digit', { n: at + 1, max: digits })}
            className={cn(inputClass, 'num h-10 max-w-[50px] px-0 text-center text-[16px]')}
          />
        ))}
      </OTPField.Root>
    </FieldFrame>
  )
}
