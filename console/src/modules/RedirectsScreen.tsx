/** Redirect modules, and the redirects of one. */
import type { Module, ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { redirectMatch } from '@breakwater/contract/modules/redirect-match.ts'
import {
  redirectStatuses,
  redirectsPerSiteMax,
  UrlRedirect,
  urlRedirects,
} from '@breakwater/contract/modules/url-redirects.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Tag } from '../kit/Status.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { ModuleItems } from './ModuleItems.tsx'
import { ModulesScreen } from './ModulesScreen.tsx'

const Field = fieldsOf(UrlRedirect)

export function RedirectsScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
  return (
    <ModulesScreen
      siteId={siteId}
      family={urlRedirects as unknown as ModuleFamily}
      list="redirects"
      title={t('redirect.title')}
      help={t('redirect.help', { max: redirectsPerSiteMax })}
      items={t('redirect.items')}
      emptyText={t('redirect.emptyText')}
    >
      {(module) => <Redirects siteId={siteId} module={module} />}
    </ModulesScreen>
  )
}

function Redirects({ siteId, module }: { siteId: number; module: Module }) {
  const t = usePhrases('modules')
  return (
    <ModuleItems
      siteId={siteId}
      module={module}
      family={urlRedirects}
      fresh={{ urlRegex: '^/', target: '', statusCode: 301, keepQuery: true, priority: 100, enabled: true }}
      nameOf={({ urlRegex }) => urlRegex}
      line={({ urlRegex, target, statusCode }) => {
        const { match, value } = redirectMatch(urlRegex)
        return (
          <span className="flex flex-wrap items-center gap-x-3">
            <Tag>{t(`redirect.match.${match}`)}</Tag>
            <code className="mono min-w-0 break-all">
              {value} → {target}
            </code>
            <span className="num text-ink-3">{statusCode}</span>
          </span>
        )
      }}
      words={{ empty: t('redirect.empty'), add: t('redirect.add'), added: t('redirect.added') }}
    >
      <Field.Text name="urlRegex" label={t('redirect.urlRegex')} help={t('redirect.urlRegexHelp')} mono />
      <Field.Text name="target" label={t('redirect.target')} help={t('redirect.targetHelp')} mono />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Select
          name={'statusCode' as never}
          label={t('redirect.status')}
          options={Object.values(redirectStatuses).map((value) => ({ value, label: t(`redirect.status.${value}`) }))}
        />
        <Field.Number name={'priority' as never} label={t('redirect.priority')} help={t('redirect.priorityHelp')} />
      </div>
      <Field.Switch name={'keepQuery' as never} label={t('redirect.keepQuery')} />
    </ModuleItems>
  )
}
