/** The drawer for one allow or deny rule of addresses. */
import { ipsPerListMax, parseAddress, parseRange } from '@breakwater/contract/addresses.ts'
import { methods } from '@breakwater/contract/fields.ts'
import { IpRule } from '@breakwater/contract/firewall/ip-rules.ts'
import { useWatch } from 'react-hook-form'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { SiteRuleEditor } from '../../pickers/rules/SiteRuleEditor.tsx'
import type { Rules } from '../../pickers/rules/useRules.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { useSelf } from '../../platform/session.ts'

const Field = fieldsOf(IpRule)
const fresh: IpRule = {
  urlRegex: '',
  methodValues: [...methods],
  ips: [],
  enabled: true,
  mode: 'enforce',
  memo: '',
  expiresAt: null,
}
const methodOptions = methods.map((value) => ({ value, label: value }))
const checkLine = (line: string) => (parseRange(line) ? undefined : 'notAddress')

/** Warns if the user's own address is among those that would be refused. */
function OwnAddress() {
  const t = usePhrases('firewall')
  const { address } = useSelf()
  const ips: unknown = useWatch({ name: 'ips' })
  const own = parseAddress(address)
  const isAmong = (line: unknown) => {
    const range = parseRange(String(line))
    return range !== undefined && range.family === own?.family && range.from <= own.value && own.value <= range.to
  }
  if (!own || !Array.isArray(ips) || !ips.some(isAmong)) return null
  return (
    <p role="status" className="-mt-2 mb-4 text-warn">
      {t('addresses.own', { ip: address })}
    </p>
  )
}

type Props = { rules: Rules; kind: 'denyRules' | 'allowRules' }

export function IpRuleForm({ rules, kind }: Props) {
  const t = usePhrases('firewall')
  const addresses = (
    <>
      <Field.Lines
        name="ips"
        label={t('addresses')}
        help={t('addresses.help')}
        max={ipsPerListMax}
        check={checkLine}
        placeholder="203.0.113.7"
        apart
      />
      {kind === 'denyRules' && <OwnAddress />}
    </>
  )
  const path = <Field.Text name="urlRegex" label={t('urlRegex')} help={t('urlRegex.help')} placeholder="^/admin" mono />
  return (
    <SiteRuleEditor
      rules={rules}
      schema={IpRule}
      fresh={fresh}
      tries={kind}
      conditions={[
        { name: 'ips', label: t('addresses'), control: addresses },
        { name: 'urlRegex', label: t('urlRegex'), control: path, any: '' },
        {
          name: 'methodValues',
          label: t('methods'),
          control: <Field.Many name="methodValues" label={t('methods')} options={methodOptions} />,
          any: [...methods],
        },
      ]}
    />
  )
}
