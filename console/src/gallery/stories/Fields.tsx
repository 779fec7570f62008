import { ColourField } from '../../kit/fields/ColourField.tsx'
import { ManyField, SelectField, SwitchField } from '../../kit/fields/choices.tsx'
import { FieldFrame } from '../../kit/fields/frame.tsx'
import { ImageField } from '../../kit/fields/ImageField.tsx'
import { LinesField } from '../../kit/fields/LinesField.tsx'
import { MomentField } from '../../kit/fields/MomentField.tsx'
import { NumberField, OptionalNumberField } from '../../kit/fields/NumberField.tsx'
import { BlockField, MemoField, SecretField, TextField } from '../../kit/fields/TextField.tsx'
import { StoryForm } from '../StoryForm.tsx'
import type { Stories } from '../story.ts'

const options = ['GET', 'POST', 'PUT'].map((value) => ({ value, label: value }))

export const stories: Stories = {
  typed: () => (
    <StoryForm values={{ name: 'shop', note: 'Since spring', secret: 'hunter2', ttl: 60, browserTtl: undefined }}>
      <TextField name="name" label="Name" help="As people call it." />
      <MemoField name="note" label="Note" />
      <SecretField name="secret" label="Secret" />
      <NumberField name="ttl" label="Time to live" unit="s" />
      <OptionalNumberField name="browserTtl" label="Time in browsers" unit="s" help="Empty: as the origin says." />
    </StoryForm>
  ),
  wrong: () => (
    <StoryForm values={{ name: '', ttl: Number.NaN }} errors={{ name: 'required', ttl: 'number' }}>
      <TextField name="name" label="Name" />
      <NumberField name="ttl" label="Time to live" unit="s" />
    </StoryForm>
  ),
  chosen: () => (
    <StoryForm values={{ one: 'GET', many: ['GET', 'PUT'], on: true, until: '2026-11-21T14:05:00Z' }}>
      <SelectField name="one" label="Method" options={options} />
      <ManyField name="many" label="Methods" options={options} />
      <SwitchField name="on" label="Enabled" />
      <MomentField name="until" label="Until" />
    </StoryForm>
  ),
  lines: () => (
    <StoryForm values={{ ips: ['192.0.2.1', '192.0.2.1', '198.51.100.0/24'] }}>
      <LinesField name="ips" label="Addresses" max={5000} />
    </StoryForm>
  ),
  pasted: () => (
    <StoryForm values={{ chain: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----' }}>
      <BlockField name="chain" label="Certificate" help="As the authority sent it." />
    </StoryForm>
  ),
  looks: () => (
    <StoryForm values={{ colour: '#2b5cd9', logo: '' }}>
      <ColourField name="colour" label="Accent" fallback="#2b5cd9" />
      <ImageField name="logo" label="Logo" accept={['image/png']} shown="" />
    </StoryForm>
  ),
  frame: () => (
    <FieldFrame name="other" label="Anything else" error={undefined} help="What a field is made of.">
      <p>Its control stands here.</p>
    </FieldFrame>
  ),
}
