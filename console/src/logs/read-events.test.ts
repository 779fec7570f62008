import { expect, test } from 'vitest'
import { readEvents, type ServerEvent } from './read-events.ts'

async function read(...pieces: string[]): Promise<ServerEvent[]> {
  const stream = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })
  const events: ServerEvent[] = []
  for await (const event of readEvents(stream)) events.push(event)
  return events
}

test('an event split in two chunks is read as one', async () => {
  expect(await read('event: row\nda', 'ta: [1]\n', '\nevent: lag\ndata: {}\n\n')).toEqual([
    { event: 'row', data: '[1]' },
    { event: 'lag', data: '{}' },
  ])
})

test('comments are keep-alives and yield no event', async () => {
  expect(await read(': hello\n\ndata: a\ndata: b\n\n')).toEqual([{ event: 'message', data: 'a\nb' }])
})
