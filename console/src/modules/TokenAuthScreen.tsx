/** Token auth modules, the rules of one, and a signer that shows how an application signs. */
import type { Module, ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { TokenAuth, tokenAuths, tokenKinds, usualParameters } from '@breakwater/contract/modules/token-auths.ts'
import { useState } from 'react'
import { useWatch } from 'react-hook-form'
import { Button } from '../kit/Button.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { Failed, showFault } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Input } from '../kit/Input.tsx'
import { Select } from '../kit/Select.tsx'
import { Tag } from '../kit/Status.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { ModuleItems } from './ModuleItems.tsx'
import { ModulesScreen } from './ModulesScreen.tsx'
import { languages, sampleOf } from './token-samples.ts'

const Field = fieldsOf(TokenAuth)
const rulesMax = 100

export function TokenAuthScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
  return (
    <ModulesScreen
      siteId={siteId}
      family={tokenAuths as unknown as ModuleFamily}
      list="token-auths"
      title={t('token.title')}
      help={t('token.help')}
      items={t('redirect.items')}
      emptyText={t('token.emptyText')}
    >
      {(module) => (
        <>
          <Rules siteId={siteId} module={module} />
          <Signer siteId={siteId} module={module} />
        </>
      )}
    </ModulesScreen>
  )
}

function Rules({ siteId, module }: { siteId: number; module: Module }) {
  const t = usePhrases('modules')
  return (
    <ModuleItems
      siteId={siteId}
      module={module}
      family={tokenAuths}
      fresh={{ urlRegex: '^/', kind: 'hmac', key: '', key2: '', ttl: 1800, parameter: '', enabled: true }}
      nameOf={({ urlRegex }) => urlRegex}
      line={({ urlRegex, kind, key, ttl }) => (
        <span className="flex flex-wrap items-center gap-x-3">
          <Tag>{t(`token.kind.${kind}`)}</Tag>
          <code className="mono min-w-0 break-all">{urlRegex}</code>
          <span className="mono text-ink-3">{key.slice(0, 4)}••••</span>
          <span className="num text-ink-3">{t('token.seconds', { ttl })}</span>
        </span>
      )}
      words={{ empty: t('token.empty'), add: t('token.add'), added: t('token.added') }}
    >
      <Field.Text name="urlRegex" label={t('redirect.urlRegex')} help={t('token.urlRegexHelp')} mono />
      <Field.Select
        name={'kind' as never}
        label={t('token.kind')}
        options={tokenKinds.map((value) => ({ value, label: t(`token.kind.${value}`) }))}
      />
      <Keys />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Number name={'ttl' as never} label={t('token.ttl')} help={t('token.ttlHelp')} />
        <Parameter />
      </div>
    </ModuleItems>
  )
}

function Keys() {
  const t = usePhrases('modules')
  return (
    <div className="grid gap-x-4 sm:grid-cols-2">
      <Field.Text name="key" label={t('token.key')} help={t('token.keyHelp')} mono />
      <Field.Text name={'key2' as never} label={t('token.key2')} help={t('token.key2Help')} mono />
    </div>
  )
}

/** Kinds that put the signature into the path have no parameter. */
function Parameter() {
  const t = usePhrases('modules')
  const usual = usualParameters[useWatch({ name: 'kind' }) as TokenAuth['kind']]
  if (usual === '') return null
  return (
    <Field.Text
      name={'parameter' as never}
      label={t('token.parameter')}
      help={t('token.parameterHelp', { usual })}
      placeholder={usual}
      mono
    />
  )
}

/** Signs a path with a rule's own key, and shows sample code with which an application does the same. */
function Signer({ siteId, module }: { siteId: number; module: Module }) {
  const t = usePhrases('modules')
  const mayWrite = useMay()('modules.write')
  const of = { siteId, moduleId: module.id }
  const call = useCall(tokenAuths.calls.items, { ...of, query: { page: 1, pageSize: rulesMax } })
  const sign = useChange(tokenAuths.calls.sign)
  const [chosen, choose] = useState<number>()
  const [path, setPath] = useState('/video/film.mp4')
  const [language, setLanguage] = useState<(typeof languages)[number]>('Node.js')
  if (call.isError) return <Failed fault={call.error} retry={() => call.refetch()} />
  const rules = call.data?.data ?? []
  const rule = rules.find(({ id }) => id === chosen) ?? rules[0]
  if (!rule) return null
  const parameter = rule.parameter || usualParameters[rule.kind]
  return (
    <section className="mt-6">
      <h2 className="mb-2 font-semibold">{t('token.signer')}</h2>
      <p className="mb-3 text-ink-2">{t('token.signerHelp')}</p>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Select
          label={t('token.rule')}
          value={rule.id}
          options={rules.map(({ id, urlRegex }) => ({ value: id, label: urlRegex }))}
          onChange={choose}
        />
        <Input
          aria-label={t('token.path')}
          className="min-w-40 flex-1"
          value={path}
          onChange={(event) => setPath(event.target.value)}
        />
        {mayWrite && (
          <Button
            busy={sign.isPending}
            onClick={() => sign.mutate({ ...of, body: { id: rule.id, path } }, { onError: showFault })}
          >
            {t('token.sign')}
          </Button>
        )}
      </div>
      {sign.data && <CopyText text={sign.data.path} block />}
      <div className="mt-4 mb-2">
        <Select
          label={t('token.language')}
          value={language}
          options={languages.map((value) => ({ value, label: value }))}
          onChange={setLanguage}
        />
      </div>
      <pre className="mono overflow-x-auto rounded-panel border border-line bg-surface p-3 text-xs">
        {sampleOf(language, rule.kind, parameter)}
      </pre>
    </section>
  )
}
