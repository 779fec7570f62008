/** One brand: texts, colour, images, where it applies; with a live preview while it is edited. */
import {
  type Brand,
  BrandValues,
  brandImages,
  brands,
  brandTiers,
  hostsMax,
  imageTypes,
} from '@breakwater/contract/brand/brand.ts'
import { useWatch } from 'react-hook-form'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { type ImageValue, useImageUrl } from '../kit/fields/ImageField.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { BrandPreview } from './BrandPreview.tsx'

const Field = fieldsOf(BrandValues)
const productAccent = '#2b5cd9'

export function BrandDrawer({ brand, onClose }: { brand: Brand | undefined; onClose: () => void }) {
  const t = usePhrases('brand')
  const tPlatform = usePhrases('platform')
  const create = useChange(brands.create, brands.list, brands.get)
  const update = useChange(brands.update, brands.list, brands.get)
  const form = useResourceForm(BrandValues, {
    values: {
      title: brand?.title ?? '',
      subTitle: brand?.subTitle ?? '',
      description: brand?.description ?? '',
      copyright: brand?.copyright ?? '',
      version: brand?.version ?? '',
      accent: brand?.accent ?? '',
      tiers: brand?.tiers ?? [...brandTiers],
      hosts: brand?.hosts ?? [],
      ...Object.fromEntries(brandImages.map((name) => [name, undefined])),
    },
    save: async (body) => {
      if (brand) await update.mutateAsync({ body: { ...body, id: brand.id } })
      else await create.mutateAsync({ body })
    },
    done: t(brand ? 'updated' : 'created'),
    onSaved: onClose,
  })
  const picture = { accept: imageTypes, shown: '' }
  return (
    <FormDrawer form={form} title={brand ? brand.title || t('untitled') : t('add')} onClose={onClose}>
      <Preview brand={brand} />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Text name="title" label={t('title.field')} placeholder="Breakwater" />
        <Field.Text name="subTitle" label={t('subTitle')} help={t('subTitle.help')} />
        <Field.Colour name="accent" label={t('accent')} help={t('accent.help')} fallback={productAccent} />
        <Field.Text name="version" label={t('version')} help={t('version.help')} />
      </div>
      <Field.Text name="copyright" label={t('copyright')} />
      <Field.Memo name="description" label={t('description')} help={t('description.help')} max={1000} />
      <p className="mb-3 text-ink-3 text-xs">{t('images.help')}</p>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Image {...picture} name="logo" label={t('logo')} shown={brand?.logo ?? ''} help={t('logo.help')} />
        <Field.Image
          {...picture}
          name="favicon"
          label={t('favicon')}
          shown={brand?.favicon ?? ''}
          help={t('favicon.help')}
        />
        <Field.Image
          {...picture}
          wide
          name="sidebarLogo"
          label={t('sidebarLogo')}
          shown={brand?.sidebarLogo ?? ''}
          help={t('sidebarLogo.help')}
        />
        <Field.Image
          {...picture}
          name="sidebarSimpleLogo"
          label={t('sidebarSimpleLogo')}
          shown={brand?.sidebarSimpleLogo ?? ''}
          help={t('sidebarSimpleLogo.help')}
        />
      </div>
      <Field.Image
        {...picture}
        wide
        name="backgroundImage"
        label={t('backgroundImage')}
        shown={brand?.backgroundImage ?? ''}
        help={t('backgroundImage.help')}
      />
      <Field.Many
        name="tiers"
        label={t('tiers')}
        options={brandTiers.map((value) => ({ value, label: tPlatform(`console.${value}`) }))}
      />
      <Field.Lines
        name="hosts"
        label={t('hosts')}
        help={t('hosts.help')}
        max={hostsMax}
        placeholder="cdn.example.com"
        apart
      />
    </FormDrawer>
  )
}

function Preview({ brand }: { brand: Brand | undefined }) {
  const values = useWatch() as Record<string, string | undefined> & Record<string, ImageValue>
  const text = (name: string) => String(values[name] ?? '')
  return (
    <BrandPreview
      worn={{
        title: text('title'),
        subTitle: text('subTitle'),
        description: text('description'),
        copyright: text('copyright'),
        accent: text('accent'),
        logo: useImageUrl(values.logo, brand?.logo ?? ''),
        sidebarLogo: useImageUrl(values.sidebarLogo, brand?.sidebarLogo ?? ''),
        sidebarSimpleLogo: useImageUrl(values.sidebarSimpleLogo, brand?.sidebarSimpleLogo ?? ''),
        backgroundImage: useImageUrl(values.backgroundImage, brand?.backgroundImage ?? ''),
      }}
    />
  )
}
