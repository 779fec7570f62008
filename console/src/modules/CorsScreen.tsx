/** CORS modules: the foreign origins whose pages may read a site's responses. */
import { Cors, cors } from '@breakwater/contract/modules/cors.ts'
import type { ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ModulesScreen } from './ModulesScreen.tsx'
import { ChangeSettingsModule, NewSettingsModule } from './SettingsModule.tsx'

const Field = fieldsOf(Cors)
const schema = Cors.superRefine((body, context) => cors.check?.(body, context))
const family = cors as unknown as ModuleFamily

const fresh: Cors = {
  ...{ name: '', memo: '', origins: [], methods: ['GET', 'HEAD', 'POST'], headers: [], exposeHeaders: [] },
  ...{ credentials: false, maxAge: 600 },
}

export function CorsScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
  const settings = { siteId, family, schema }
  return (
    <ModulesScreen
      siteId={siteId}
      family={family}
      list="cors"
      title={t('cors.title')}
      help={t('cors.help')}
      items={t('cors.origins')}
      countOf={(row) => (row as unknown as Cors).origins.length}
      emptyText={t('cors.emptyText')}
      newModule={(props) => (
        <NewSettingsModule {...settings} {...props} fresh={fresh}>
          <CorsFields />
        </NewSettingsModule>
      )}
    >
      {(module) => (
        <ChangeSettingsModule {...settings} module={module} done={t('cors.saved')}>
          <CorsFields />
        </ChangeSettingsModule>
      )}
    </ModulesScreen>
  )
}

function CorsFields() {
  const t = usePhrases('modules')
  return (
    <>
      <Field.Text name="name" label={t('name')} />
      <Field.Lines
        name="origins"
        label={t('cors.origins')}
        help={t('cors.originsHelp')}
        max={100}
        placeholder="https://www.example.com"
        apart
      />
      <Field.Tags name="methods" label={t('cors.methods')} max={20} />
      <Field.Tags name="headers" label={t('cors.headers')} help={t('cors.headersHelp')} max={100} />
      <Field.Tags name="exposeHeaders" label={t('cors.exposeHeaders')} help={t('cors.exposeHelp')} max={100} />
      <Field.Switch name="credentials" label={t('cors.credentials')} help={t('cors.credentialsHelp')} />
      <Field.Number name="maxAge" label={t('cors.maxAge')} help={t('cors.maxAgeHelp')} />
      <Field.Memo name="memo" label={t('memo')} />
    </>
  )
}
