/** Header modules, and the headers of one. */
import { CustomHeader, customHeaders } from '@breakwater/contract/modules/custom-headers.ts'
import type { Module, ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Tag } from '../kit/Status.tsx'
import { usePhrases } from '../platform/phrases.ts'
import { ModuleItems } from './ModuleItems.tsx'
import { ModulesScreen } from './ModulesScreen.tsx'

const Field = fieldsOf(CustomHeader)
const types = ['response', 'request'] as const

export function CustomHeadersScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
  return (
    <ModulesScreen
      siteId={siteId}
      family={customHeaders as unknown as ModuleFamily}
      list="headers"
      title={t('title')}
      help={t('help')}
      items={t('headers')}
      emptyText={t('emptyText')}
    >
      {(module) => <Headers siteId={siteId} module={module} />}
    </ModulesScreen>
  )
}

function Headers({ siteId, module }: { siteId: number; module: Module }) {
  const t = usePhrases('modules')
  return (
    <ModuleItems
      siteId={siteId}
      module={module}
      family={customHeaders}
      fresh={{ type: 'response', key: '', value: '', enabled: true }}
      nameOf={({ key }) => key}
      line={({ type, key, value }) => (
        <span className="flex flex-wrap items-center gap-x-3">
          <Tag>{t(`header.type.${type}`)}</Tag>
          <code className="mono min-w-0 break-all">
            {key}: {value || <span className="text-bad">{t('header.removes')}</span>}
          </code>
        </span>
      )}
      words={{ empty: t('header.empty'), add: t('header.add'), added: t('added') }}
    >
      <Field.Select
        name="type"
        label={t('header.type')}
        options={types.map((value) => ({ value, label: t(`header.type.${value}`) }))}
      />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Text name="key" label={t('header.key')} placeholder="Strict-Transport-Security" mono />
        <Field.Text name={'value' as never} label={t('header.value')} help={t('header.value.help')} mono />
      </div>
    </ModuleItems>
  )
}
