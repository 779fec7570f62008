/** Rewrite modules, and the rewrites of one. */
import type { Module, ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { ProxyRewrite, proxyRewrites } from '@breakwater/contract/modules/proxy-rewrites.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ModuleItems } from './ModuleItems.tsx'
import { ModulesScreen } from './ModulesScreen.tsx'

const Field = fieldsOf(ProxyRewrite)

export function RewritesScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
  return (
    <ModulesScreen
      siteId={siteId}
      family={proxyRewrites as unknown as ModuleFamily}
      list="rewrites"
      title={t('rewrite.title')}
      help={t('rewrite.help')}
      items={t('redirect.items')}
      emptyText={t('rewrite.emptyText')}
    >
      {(module) => <Rewrites siteId={siteId} module={module} />}
    </ModulesScreen>
  )
}

function Rewrites({ siteId, module }: { siteId: number; module: Module }) {
  const t = usePhrases('modules')
  return (
    <ModuleItems
      siteId={siteId}
      module={module}
      family={proxyRewrites}
      fresh={{ urlRegex: '^/', target: '', priority: 100, enabled: true }}
      nameOf={({ urlRegex }) => urlRegex}
      line={({ urlRegex, target }) => (
        <code className="mono min-w-0 break-all">
          {urlRegex} → {target}
        </code>
      )}
      words={{ empty: t('rewrite.empty'), add: t('rewrite.add'), added: t('rewrite.added') }}
    >
      <Field.Text name="urlRegex" label={t('redirect.urlRegex')} help={t('rewrite.urlRegexHelp')} mono />
      <Field.Text name="target" label={t('rewrite.target')} help={t('rewrite.targetHelp')} mono />
      <Field.Number name={'priority' as never} label={t('redirect.priority')} help={t('redirect.priorityHelp')} />
    </ModuleItems>
  )
}
