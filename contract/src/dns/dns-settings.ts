/** Where the operator's own DNS records are written: the zone of the edge, and the name server that accepts updates. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { genericCharsMax } from '../fields.ts'
import { settings } from '../settings.ts'

export const dnsTypes = ['', 'rfc2136'] as const

const hostName = /^(?=.{1,200}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i
/** A host name or IPv4 address, with or without a port; an IPv6 address, in brackets if a port follows. */
const server = /^([A-Za-z0-9._-]+(:\d{1,5})?|\[[0-9A-Fa-f:.]+\](:\d{1,5})?|[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:[0-9A-Fa-f:.]*)$/
const text = () => z.string().trim().max(genericCharsMax, 'charactersExceedLimit')

export const DnsSettings = z
  .strictObject({
    dnsType: wordOf(
      'DnsType',
      'Empty writes no DNS of the operator; rfc2136 sends signed updates to a name server (BIND, Knot, PowerDNS).',
      dnsTypes,
    ),
    domain: text().describe('The zone that records are written to.'),
    account: text().describe('The name server that takes updates over TCP, as host or host:port; 53 without a port.'),
    key: text().describe('The name of the TSIG key (HMAC-SHA256).'),
    secret: text().describe(
      'The secret of the TSIG key, in base64. Empty keeps the stored one, for the same server only.',
    ),
  })
  .superRefine(({ dnsType, domain, account, key, secret }, context) => {
    if (dnsType === '') return
    const refuse = (path: string, value: string, form: RegExp) => {
      if (!form.test(value))
        context.addIssue({ code: 'custom', path: [path], message: value === '' ? 'required' : 'wrongFormat' })
    }
    refuse('domain', domain, hostName)
    refuse('account', account, server)
    refuse('key', key, /^[A-Za-z0-9._-]{1,253}$/)
    refuse('secret', secret, /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/)
  })
export type DnsSettings = z.output<typeof DnsSettings>

export const dnsSettings = settings(
  'operator',
  'dns',
  {
    id: 'client.setting.dns',
    path: 'setting/dns',
    schema: DnsSettings,
    reply: z.object({ ...DnsSettings.shape, secret: z.literal(''), secretSet: z.boolean() }),
    read: 'settings.read',
    write: 'settings.write',
    isCreated: true,
    noun: 'DNS provider; its secret is never answered',
  },
  { dnsType: '', domain: '', account: '', key: '', secret: '', secretSet: false },
)

export const dnsTest = {
  test: endpoint('client.setting.dns.test', 'POST', '/client/setting/dns/test', {
    tiers: ['client'],
    can: 'settings.write',
    body: DnsSettings,
    summary: 'Writes a TXT record with these settings, looks for it at the name server, and removes it.',
  }),
}
