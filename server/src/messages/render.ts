/** Renders a letter: subject, text and HTML. Pure. Values come from people and are never treated as markup. */
import { type Locale, type Template, words } from './phrases.ts'

export type Message = { subject: string; text: string; html: string }

type EmailContent = { template: Template; locale: Locale; values: Record<string, string>; secret: string }

const escaped = (text: string): string => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`)

const filled = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

/** A header is one line, whatever a value holds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const oneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim()

/** `brand` is the operator's name for the product, `publicUrl` the address of the console. */
export function render({ template, locale, values, secret }: EmailContent, brand: string, publicUrl: string): Message {
  const { subject, text, action } = words[locale][template]
  const all: Record<string, string> = { name: values.account ?? '', ...values, brand, secret }
  if (!all.name) all.name = values.account ?? ''
  const query = secret === '' ? '' : `?token=${encodeURIComponent(secret)}`
  const link = action && values.path ? `${publicUrl}${values.path}${query}` : undefined
  const body = filled(text, all)
  const paragraphs = body.split('\n\n').map((part) => `<p style="margin:0 0 16px">${escaped(part)}</p>`)
  const button =
    link &&
    `<p style="margin:24px 0"><a href="${escaped(link)}" style="background:#171a21;color:#fff;padding:10px 16px;border-radius:7px;text-decoration:none;display:inline-block">${escaped(action ?? '')}</a></p><p style="margin:0 0 16px;color:#656d7b;font-size:12px;word-break:break-all">${escaped(link)}</p>`
  return {
    subject: oneLine(filled(subject, all)),
    text: `${[body, ...(link ? [`${action}:\n${link}`] : [])].join('\n\n')}\n\n${brand}\n`,
    html: `<!doctype html><html lang="${locale.replace('_', '-')}"><body style="margin:0;background:#f7f8fa;padding:24px;font:14px/22px system-ui,sans-serif;color:#14171f"><div style="max-width:560px;margin:0 auto;background:#fff;border:1px solid #e3e6eb;border-radius:10px;padding:24px"><p style="margin:0 0 20px;font-weight:600">${escaped(brand)}</p>${paragraphs.join('')}${button ?? ''}</div></body></html>`,
  }
}
