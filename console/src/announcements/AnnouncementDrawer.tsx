/** One announcement in three languages, with its order and its schedule. */
import { mailLocales } from '@breakwater/contract/account/accounts.ts'
import {
  type Announcement,
  announcementCharsMax,
  announcementFields,
  announcementLevels,
  announcements,
  checkAnnouncement,
} from '@breakwater/contract/announcements/announcements.ts'
import { z } from 'zod'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { MemoField, TextField } from '../kit/fields/TextField.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { locales, useLocale } from '../platform/locale.ts'
import { usePhrases } from '../platform/phrases.ts'

const Fields = z.object({
  ...announcementFields,
  startTime: z.string().nullable(),
  endTime: z.string().nullable(),
  showAgain: z.boolean(),
})
const Draft = Fields.superRefine(checkAnnouncement)
const Field = fieldsOf(Fields)
const empty = { title: '', content: '' }
const nextOrdinal = 10

type Props = { announcement: Announcement | undefined; onClose: () => void }

export function AnnouncementDrawer({ announcement, onClose }: Props) {
  const t = usePhrases('announcements')
  const { locale: reader } = useLocale()
  // The reader's own language first: most announcements are written in that language alone.
  const own = mailLocales.toReversed().toSorted((a, b) => Number(b === reader) - Number(a === reader))
  const create = useChange(announcements.create, announcements.list)
  const update = useChange(announcements.update, announcements.list)
  const form = useResourceForm(Draft, {
    values: {
      texts: announcement?.texts ?? { zh_TW: empty, zh_CN: empty, en_US: empty },
      level: announcement?.level ?? 'info',
      ordinal: announcement?.ordinal ?? nextOrdinal,
      running: announcement?.running ?? true,
      startTime: announcement?.startTime ?? null,
      endTime: announcement?.endTime ?? null,
      showAgain: false,
    },
    save: async ({ showAgain, ...body }) => {
      if (announcement) await update.mutateAsync({ body: { ...body, id: announcement.id, showAgain } })
      else await create.mutateAsync({ body })
    },
    done: t('created'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t(announcement ? 'edit' : 'add')} onClose={onClose}>
      <p className="mb-3 text-ink-3 text-xs">{t('languages.help')}</p>
      {own.map((locale) => (
        <fieldset key={locale} className="mb-2 border-line border-b last-of-type:border-b-0">
          <legend className="mb-2 font-semibold" lang={locale.replace('_', '-')}>
            {locales[locale]}
          </legend>
          <TextField name={`texts.${locale}.title`} label={t('heading')} />
          <MemoField
            name={`texts.${locale}.content`}
            label={t('content')}
            help={t('content.help')}
            max={announcementCharsMax}
          />
        </fieldset>
      ))}
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Select
          name="level"
          label={t('level')}
          options={announcementLevels.map((value) => ({ value, label: t(`level.${value}`) }))}
        />
        <Field.Number name="ordinal" label={t('ordinal')} help={t('ordinal.help')} />
        <Field.Moment name="startTime" label={t('startTime')} help={t('startTime.help')} />
        <Field.Moment name="endTime" label={t('endTime')} help={t('endTime.help')} />
      </div>
      <Field.Switch name="running" label={t('running')} />
      {announcement && <Field.Switch name="showAgain" label={t('showAgain')} />}
    </FormDrawer>
  )
}
