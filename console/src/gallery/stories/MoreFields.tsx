import { CodeField } from '../../kit/fields/CodeField.tsx'
import { OtpField } from '../../kit/fields/OtpField.tsx'
import { TagsField } from '../../kit/fields/TagsField.tsx'
import { StoryForm } from '../StoryForm.tsx'
import type { Stories } from '../story.ts'

const server = 'server {\n  listen 8080;\n  # health\n  location = /up { return 200 "ok"; }\n}'
const json = '{\n  "name": "shop",\n  "times": 60\n}'

export const stories: Stories = {
  'one-time code': () => (
    <StoryForm values={{ code: '', spent: '123456' }} errors={{ spent: 'wrongCode' }}>
      <OtpField name="code" label="Code" help="From your app." />
      <OtpField name="spent" label="Code of before" />
    </StoryForm>
  ),
  tags: () => (
    <StoryForm values={{ extensions: ['png', 'webp'], none: [] }}>
      <TagsField name="extensions" label="Extensions" max={100} />
      <TagsField name="none" label="Labels" max={10} placeholder="prod" />
    </StoryForm>
  ),
  code: () => (
    <StoryForm values={{ server, json, rule: 'path matches "^/login" and country in {"DE" "FR"}' }}>
      <CodeField name="server" label="Server text" mode="nginx" />
      <CodeField name="json" label="Body" mode="json" help="What is sent." />
      <CodeField name="rule" label="Expression" mode="expression" />
    </StoryForm>
  ),
}
