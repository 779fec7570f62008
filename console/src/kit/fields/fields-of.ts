/**
 * The fields of a schema: each field component accepts only names whose values have its type. Costs nothing at run
 * time.
 */
import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Option } from '../Select.tsx'
import { ColourField } from './ColourField.tsx'
import { ManyField, SelectField, SwitchField } from './choices.tsx'
import type { FieldProps } from './frame.tsx'
import { ImageField, type ImageProps } from './ImageField.tsx'
import { LinesField, type LinesProps } from './LinesField.tsx'
import { MomentField, type MomentFieldProps } from './MomentField.tsx'
import { NumberField, OptionalNumberField } from './NumberField.tsx'
import { TagsField, type TagsProps } from './TagsField.tsx'
import { BlockField, MemoField, SecretField, TextField, type TextProps } from './TextField.tsx'

type NamesOf<Values, Kind> = {
  [K in keyof Values & string]-?: Exclude<Values[K], undefined> extends Kind ? K : never
}[keyof Values & string]

type Named<Props, Values, Kind> = Omit<Props, 'name'> & { name: NamesOf<Values, Kind> }
type Component<Props> = (props: Props) => ReactNode

export type FieldsOf<Values> = {
  Text: Component<Named<TextProps, Values, string>>
  Secret: Component<Named<TextProps, Values, string>>
  Memo: Component<Named<FieldProps & { max?: number }, Values, string>>
  Block: Component<Named<FieldProps & { placeholder?: string; isSecret?: boolean }, Values, string>>
  Number: Component<Named<FieldProps & { unit?: string }, Values, number>>
  OptionalNumber: Component<Named<FieldProps & { unit?: string; placeholder?: string }, Values, number | null>>
  Switch: Component<Named<FieldProps, Values, boolean>>
  Select: <Value extends string | number>(
    props: Named<FieldProps & { options: readonly Option<Value>[] }, Values, string | number>,
  ) => ReactNode
  Many: Component<Named<FieldProps & { options: readonly Option<string>[] }, Values, string[]>>
  Lines: Component<Named<LinesProps, Values, string[]>>
  Tags: Component<Named<TagsProps, Values, string[]>>
  Moment: Component<Named<MomentFieldProps, Values, string | null>>
  Image: Component<Named<ImageProps, Values, File | ''>>
  Colour: Component<Named<FieldProps & { fallback: string }, Values, string>>
}

const fields = {
  Text: TextField,
  Secret: SecretField,
  Memo: MemoField,
  Block: BlockField,
  Number: NumberField,
  OptionalNumber: OptionalNumberField,
  Switch: SwitchField,
  Select: SelectField,
  Many: ManyField,
  Lines: LinesField,
  Tags: TagsField,
  Moment: MomentField,
  Image: ImageField,
  Colour: ColourField,
}

export function fieldsOf<S extends z.ZodObject>(_schema: S): FieldsOf<z.input<S>> {
  return fields as unknown as FieldsOf<z.input<S>>
}
