/** CORS modules: which other origins' pages may read a site's answers. */
import { Cors, cors } from '@breakwater/contract/modules/cors.ts'
import type { Module, ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { Button } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import { ModulesScreen, type NewModule } from './ModulesScreen.tsx'

const Field = fieldsOf(Cors)
const schema = Cors.superRefine((body, context) => cors.check?.(body, context))
const family = cors as unknown as ModuleFamily

const fresh: Cors = {
  ...{ name: '', memo: '', origins: [], methods: ['GET', 'HEAD', 'POST'], headers: [], exposeHeaders: [] },
  ...{ credentials: false, maxAge: 600 },
}

export function CorsScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('modules')
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
      newModule={(props) => <NewCors siteId={siteId} {...props} />}
    >
      {(module) => <ChangeCors siteId={siteId} module={module} />}
    </ModulesScreen>
  )
}

function NewCors({ siteId, onClose, onMade }: { siteId: number } & NewModule) {
  const t = usePhrases('modules')
  const create = useChange(cors.calls.create, cors.calls.list)
  const form = useResourceForm(schema, {
    values: fresh,
    save: (module) => create.mutateAsync({ siteId, body: { modules: [module] } }),
    done: t('made'),
    onSaved: ({ ids }) => onMade(ids[0]),
    fieldOf: (field) => field.replace('modules.0.', ''),
  })
  return (
    <FormDrawer form={form} title={t('add')} onClose={onClose} saveLabel={t('add')}>
      <CorsFields />
    </FormDrawer>
  )
}

function ChangeCors({ siteId, module }: { siteId: number; module: Module }) {
  const t = usePhrases('modules')
  const mayWrite = useMay()('modules.write')
  const update = useChange(cors.calls.update, cors.calls.list)
  const { id, domainCount: _, ...values } = module
  const form = useResourceForm(schema, {
    values: values as unknown as Cors,
    save: (body) => update.mutateAsync({ siteId, body: { id, ...body } }),
    done: t('cors.saved'),
    stays: (saved) => saved,
  })
  return (
    <Form form={form}>
      <CorsFields />
      {mayWrite && (
        <Button type="submit" look="solid" busy={form.busy}>
          {t('item.save')}
        </Button>
      )}
    </Form>
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
