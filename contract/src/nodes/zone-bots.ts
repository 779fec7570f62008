/** Which bots the nodes of a zone verify and do not challenge. */
import { z } from 'zod'
import { parseBot, verifiedBotsMax } from '../edge/verified-bots.ts'
import { settings } from '../settings.ts'

export const verifiedBots = settings(
  'zone',
  'verifiedBots',
  {
    ...{ id: 'client.zone.setting.verifiedBots', path: 'setting/verifiedBots' },
    ...{ read: 'zones.read', write: 'zones.write' },
    schema: z.strictObject({
      enable: z
        .boolean()
        .describe(
          'Whether bots that are verified pass challenges, as a visitor does who has passed one; refusals, bans and the rates above which such a visitor gets 429 hold for them, too.',
        ),
      bots: z
        .array(
          z
            .string()
            .max(4000, 'wrongFormat')
            .transform((line) => line.trim().replace(/\s+/g, ' '))
            .refine((line) => parseBot(line) !== undefined, 'wrongFormat'),
        )
        .max(verifiedBotsMax, 'itemsExceedLimit')
        .describe(
          'A bot each: what its User-Agent contains, then the domains of its host names and its networks, separated by spaces. By a domain it is looked up: the name of the address, and back.',
        ),
    }),
    noun: 'verified bots of a zone',
    beyond: true,
  },
  {
    enable: false,
    bots: [
      'Googlebot googlebot.com google.com',
      'bingbot search.msn.com',
      'Applebot applebot.apple.com',
      'YandexBot yandex.ru yandex.net yandex.com',
      'Baiduspider baidu.com baidu.jp',
    ],
  },
)
