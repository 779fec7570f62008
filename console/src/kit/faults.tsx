/** Displays every error code of the catalogue: silently, as a list, at the fields of a form, or as a sentence. */
import { type ErrorName, errors } from '@breakwater/contract/errors.ts'
import { Suspense, useSyncExternalStore } from 'react'
import { Fault } from '../platform/fault.ts'
import { phrasesNow, type Say, usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'
import { Button } from './Button.tsx'
import { CopyText } from './CopyText.tsx'
import { surfaceOf } from './error-surface.ts'

const exportsAtOnceMax = 3

/** The `extra` that some 101003 errors carry instead of fields. */
const knownExtras = {
  'invalid license key': 'fault.invalidLicenseKey',
  'account has subs': 'fault.hasSubs',
  'account has sites': 'fault.hasSites',
  'account has zones': 'fault.hasZones',
  'certificate in use': 'fault.certificateInUse',
  'module in use': 'fault.moduleInUse',
  'role in use': 'fault.roleInUse',
  'in force: revoke it first': 'fault.licenseInForce',
  'automatic certificate': 'fault.automaticCertificate',
} as const

/**
 * Returns the text of an error: the catalogue's in the chosen language, or the server's message for an unknown code.
 */
export function faultText(fault: Fault, t: Say<'errors'>, tKit: Say<'kit'>): string {
  if (fault.code === 0) return tKit(fault.status === 0 ? 'fault.offline' : 'fault.unavailable')
  const { reason } = fault
  if (!reason) return fault.message
  // For exceeded rate limits, the server's message is shown, as the code itself belongs to another error.
  if (fault.status === 429 && errors[reason].status !== 429) return fault.message
  if (reason === 'illegalPortMapping') {
    const port = /port (\d+) is/.exec(JSON.stringify(fault.extra))?.[1]
    return port ? `${t(reason)} (${port})` : fault.message
  }
  if (reason === 'parameterError' && typeof fault.extra === 'string' && fault.extra in knownExtras)
    return tKit(knownExtras[fault.extra as keyof typeof knownExtras])
  if (reason === 'autoSslExceedsLimit') {
    const n = Number((fault.extra as { max?: unknown } | undefined)?.max)
    return n > 0 ? tKit('fault.autoSslMax', { n }) : t(reason)
  }
  if (reason === 'simultaneousExportsExceedLimit') return t(reason, { num: exportsAtOnceMax })
  if (reason === 'dailyExportsExceedLimit') return t(reason, { num: Number(fault.extra) || 0 })
  return (t as (key: ErrorName) => string)(reason)
}

export function useFaultText(): (fault: Fault) => string {
  const t = usePhrases('errors')
  const tKit = usePhrases('kit')
  return (fault) => faultText(fault, t, tKit)
}

/** The same for use outside of rendering. */
export async function faultTextNow(fault: Fault): Promise<string> {
  return faultText(fault, ...(await Promise.all([phrasesNow('errors'), phrasesNow('kit')])))
}

/** Returns the text for why a field is invalid. */
export function reasonText(reason: string | undefined, t: Say<'kit'>): string | undefined {
  if (!reason) return undefined
  const key = `reason.${reason}`
  const text = (t as (key: string) => string)(key)
  return text === key ? t('reason.wrongFormat') : text
}

let listed: Fault | undefined
const watchers = new Set<() => void>()
export function showList(fault: Fault | undefined): void {
  listed = fault
  for (const watch of watchers) watch()
}

/** The error whose list is open. */
export const useListedFault = (): Fault | undefined =>
  useSyncExternalStore(
    (watch) => {
      watchers.add(watch)
      return () => watchers.delete(watch)
    },
    () => listed,
  )

/** Shows the error of a failed change where the person looks. Forms show errors of their fields themselves. */
export async function showFault(fault: unknown): Promise<void> {
  if (!(fault instanceof Fault)) throw fault
  const surface = surfaceOf(fault)
  if (surface === 'silent' || surface === 'signIn') return
  if (surface === 'list') return showList(fault)
  toasts.failed(await faultTextNow(fault), fault.requestId)
}

type FailedProps = { fault: Fault; retry?: () => void }

/**
 * Replaces a part of a page that could not be loaded: the reason, the request's id, and a retry button. The texts of
 * errors are loaded with the first one; the page around it stays meanwhile.
 */
export function Failed(props: FailedProps) {
  return (
    <Suspense>
      <FailedText {...props} />
    </Suspense>
  )
}

function FailedText({ fault, retry }: FailedProps) {
  const t = usePhrases('kit')
  const text = useFaultText()(fault)
  return (
    <div role="alert" className="flex flex-col items-center gap-2 px-4 py-12 text-center">
      <p className="font-medium">{text}</p>
      {fault.requestId && (
        <p className="flex max-w-full flex-wrap items-center justify-center gap-1.5 text-ink-3 text-xs">
          {t('fault.requestId')} <CopyText text={fault.requestId} />
        </p>
      )}
      {retry && <Button onClick={retry}>{t('retry')}</Button>}
    </div>
  )
}
