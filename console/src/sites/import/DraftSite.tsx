/** One site of a draft: its name, its domains with their origins, what is imported, and what is not. */
import type { ImportOutcome } from '@breakwater/contract/import/site-import.ts'
import { useId } from 'react'
import { reasonText } from '../../kit/faults.tsx'
import { Input } from '../../kit/Input.tsx'
import { Link } from '../../kit/Link.tsx'
import { Badge, Status } from '../../kit/Status.tsx'
import { Checkbox } from '../../kit/Toggle.tsx'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'
import { carriedText } from './carried-text.ts'
import {
  bodyOf,
  carriedParts,
  type EditedDomain,
  type EditedSite,
  isCarried,
  type Wrong,
  wrongOf,
} from './draft-state.ts'
import { NoteList } from './ImportNotes.tsx'

const domainsShown = 50

type Props = { site: EditedSite; isChecked: boolean; put: (change: Partial<EditedSite>) => void }

export function DraftSite({ site, isChecked, put }: Props) {
  const t = usePhrases('import')
  const tKit = usePhrases('kit')
  const places = usePlaces()
  const id = useId()
  const { isOn, name, domains, outcome, notes } = site
  const siteId = outcome?.siteID ?? 0
  if (siteId > 0)
    return (
      <li className="flex flex-wrap items-center justify-between gap-3 rounded-panel border border-line bg-surface px-4 py-3">
        <Link to={places.site(siteId, name)} className="font-medium">
          {name}
        </Link>
        <Status tone="ok">{t('made.one')}</Status>
        {notes.length > 0 && <NoteList notes={notes} />}
      </li>
    )
  const wrong = isOn ? [...(isChecked ? bodyOf(site).wrong : []), ...wrongOf(site)] : []
  const nameWrong = wrong.find((one) => one.isName)
  const others = wrong.filter((one) => !one.isName && one.domain === undefined)
  const putDomain = (at: number, change: Partial<EditedDomain>) =>
    put({
      domains: domains.map((domain, index) => (index === at ? { ...domain, ...change } : domain)),
      outcome: undefined,
    })
  return (
    <li className="rounded-panel border border-line bg-surface px-4 py-3.5" aria-labelledby={`${id}-title`}>
      <div className="flex flex-wrap items-center gap-3">
        <Checkbox
          id={`import-site-${site.key}`}
          checked={isOn}
          aria-label={t('take', { name })}
          onCheckedChange={(next) => put({ isOn: next })}
        />
        <Input
          id={`${id}-title`}
          aria-label={t('name')}
          aria-invalid={nameWrong !== undefined}
          value={name}
          disabled={!isOn}
          className="w-72 max-w-full font-medium"
          onChange={(event) => put({ name: event.target.value, outcome: undefined })}
        />
        <span className="text-ink-3">{t('domains', { n: domains.length })}</span>
        {!isOn && <Badge tone="mute">{t('left')}</Badge>}
      </div>
      {nameWrong && <WrongText wrong={nameWrong} />}
      {outcome?.error && wrongOf(site).length === 0 && <Refusal error={outcome.error} />}
      {others.map((one) => (
        <p key={`${one.reason}`} role="alert" className="mt-1 text-bad text-xs">
          {reasonText(one.reason, tKit)}
        </p>
      ))}
      {isOn && (
        <>
          <ul className="mt-3 grid gap-1.5">
            {domains.slice(0, domainsShown).map((domain, at) => (
              <DomainRow
                key={domain.domain.name}
                domain={domain}
                wrong={wrong.find((one) => one.domain === at)}
                put={(change) => putDomain(at, change)}
              />
            ))}
          </ul>
          {domains.length > domainsShown && (
            <p className="mt-1 text-ink-3 text-xs">{t('domains.more', { n: domains.length - domainsShown })}</p>
          )}
          <Carried site={site} put={put} />
          {notes.length > 0 && <NoteList notes={notes} />}
        </>
      )}
    </li>
  )
}

function DomainRow({
  domain: edited,
  wrong,
  put,
}: {
  domain: EditedDomain
  wrong: Wrong | undefined
  put: (change: Partial<EditedDomain>) => void
}) {
  const t = usePhrases('import')
  const { isOn, origins, domain } = edited
  return (
    <li>
      <div className="grid grid-cols-[16px_minmax(0,1fr)] items-center gap-x-3 gap-y-1 sm:grid-cols-[16px_minmax(0,240px)_minmax(0,1fr)_auto]">
        <Checkbox
          checked={isOn}
          aria-label={t('take', { name: domain.name })}
          onCheckedChange={(next) => put({ isOn: next })}
        />
        <span className="mono truncate" title={domain.name}>
          {domain.name}
        </span>
        <Input
          aria-label={t('origins.of', { name: domain.name })}
          aria-invalid={wrong !== undefined}
          placeholder={t('origins.none')}
          value={origins}
          disabled={!isOn}
          className="mono max-sm:col-start-2"
          onChange={(event) => put({ origins: event.target.value })}
        />
        <span className="flex gap-1 max-sm:col-start-2">
          {domain.forceSSL && <Badge tone="info">{t('forced')}</Badge>}
          {origins.trim() === '' && <Badge tone="warn">{t('off')}</Badge>}
        </span>
      </div>
      {wrong && <WrongText wrong={wrong} />}
    </li>
  )
}

function WrongText({ wrong }: { wrong: Wrong }) {
  const tKit = usePhrases('kit')
  return (
    <p role="alert" className="mt-1 pl-7 text-bad text-xs">
      {reasonText(wrong.reason, tKit)}
    </p>
  )
}

/** The server's error: its message, and for each reason the names affected. */
function Refusal({ error }: { error: NonNullable<ImportOutcome['error']> }) {
  return (
    <div role="alert" className="mt-2 rounded-control bg-bad-bg px-3 py-2 text-bad">
      <p>
        {error.message} ({error.code})
      </p>
      {error.errors.map(({ message, targets }) => (
        <p key={message} className="text-xs">
          {message}: <span className="mono">{targets.join(' ')}</span>
        </p>
      ))}
    </div>
  )
}

function Carried({ site, put }: { site: EditedSite; put: Props['put'] }) {
  const t = usePhrases('import')
  const id = useId()
  const parts = carriedParts.filter((part) => isCarried(site, part))
  if (parts.length === 0) return null
  return (
    <fieldset className="mt-3 border-line border-t pt-2">
      <legend className="sr-only">{t('carried')}</legend>
      <p className="mb-1 text-ink-3 text-xs" aria-hidden>
        {t('carried')}
      </p>
      <ul className="grid gap-1">
        {parts.map((part) => (
          <li
            key={part}
            className="grid grid-cols-[16px_minmax(0,1fr)] items-start gap-x-3 sm:grid-cols-[16px_minmax(0,180px)_minmax(0,1fr)]"
          >
            <span className="mt-0.5">
              <Checkbox
                id={`${id}-${part}`}
                checked={!site.left.includes(part)}
                onCheckedChange={(isOn) =>
                  put({
                    left: isOn ? site.left.filter((one) => one !== part) : [...site.left, part],
                    outcome: undefined,
                  })
                }
              />
            </span>
            <label htmlFor={`${id}-${part}`}>{t(`part.${part}`)}</label>
            <span className="mono break-words text-ink-2 text-xs max-sm:col-start-2">
              {carriedText(site.site, part, t)}
            </span>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
