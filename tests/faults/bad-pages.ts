/** Feed pages that a node must not trust, and how each is made from a genuine one. */
import type { FeedReply } from '@breakwater/contract/edge/node-api.ts'
import { feedPayload, feedSignatureText } from '@breakwater/contract/edge/node-api.ts'
import type { FakeControlPlane } from '../agent/control-plane.ts'
import { makeSigner, sha256 } from '../agent/sealing.ts'

export type PageFault = [
  what: string,
  says: RegExp,
  spoil: (reply: FeedReply, plane: FakeControlPlane, asked: number) => unknown,
]

const signed = (plane: FakeControlPlane, asked: number, reply: FeedReply, change: Partial<FeedReply>) =>
  plane.sign({ ...reply, ...change }, asked)

const entryOf = (reply: FeedReply, change: Record<string, unknown>) =>
  JSON.stringify((JSON.parse(reply.entries) as object[]).map((entry) => ({ ...entry, ...change })))

export const pagesThatAreBad: PageFault[] = [
  ['changed after it was signed', /does not fit/, (reply) => ({ ...reply, entries: entryOf(reply, { revision: 99 }) })],
  [
    'a signature of another key',
    /does not fit/,
    (reply, plane, asked) => {
      const stranger = makeSigner(plane.signer.id)
      return { ...reply, signature: stranger.sign(feedSignatureText(7, asked, reply, sha256(feedPayload(reply)))) }
    },
  ],
  [
    'signed for a node of another group',
    /does not fit/,
    (reply, plane, asked) => ({
      ...reply,
      signature: plane.signer.sign(feedSignatureText(8, asked, reply, sha256(feedPayload(reply)))),
    }),
  ],
  ['an older epoch', /older than/, (reply, plane, asked) => signed(plane, asked, reply, { epoch: 0 })],
  [
    'an older sequence',
    /comes after/,
    (reply, plane, asked) => signed(plane, asked, reply, { entries: entryOf(reply, { sequence: 1 }) }),
  ],
  [
    'a sequence beyond what is desired',
    /is desired/,
    (reply, plane, asked) => signed(plane, asked, reply, { entries: entryOf(reply, { sequence: 1e9 }) }),
  ],
  ['entries that are no JSON', /no list/, (reply, plane, asked) => signed(plane, asked, reply, { entries: '[{' })],
  [
    'an entry without a site',
    /no sequence or no site/,
    (reply, plane, asked) => signed(plane, asked, reply, { entries: entryOf(reply, { site: 'one' }) }),
  ],
  ['no signature at all', /wrong shape: signature/, ({ signature: _, ...reply }) => reply],
  ['a wrong type', /wrong shape/, () => 'a page'],
]
