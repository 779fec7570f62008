// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code to copy, with placeholders of its own language.
/** Sample code for signing a path, in the most common languages. Lines to copy: code, not words. */
import type { TokenKind } from '@breakwater/contract/modules/token-auths.ts'

export const languages = ['Node.js', 'Python', 'PHP'] as const
export type Language = (typeof languages)[number]

const node: Record<TokenKind, string> = {
  hmac: "const mac = createHmac('sha256', key).update(`${path}${time}`).digest('base64url')\nconst url = `${path}?PARAMETER=${time}-${mac}`",
  A: "const random = randomBytes(8).toString('hex')\nconst hash = md5(`${path}-${time}-${random}-0-${key}`)\nconst url = `${path}?PARAMETER=${time}-${random}-0-${hash}`",
  B: "const minute = new Date((time + 8 * 3600) * 1000).toISOString().replace(/[-:T]/g, '').slice(0, 12)\nconst url = `/${minute}/${md5(key + minute + path)}${path}`",
  C: 'const hex = time.toString(16)\nconst url = `/${md5(key + path + hex)}/${hex}${path}`',
  D: 'const url = `${path}?PARAMETER=${md5(key + path + time)}&t=${time}`',
}
const python: Record<TokenKind, string> = {
  hmac: 'mac = base64.urlsafe_b64encode(hmac.digest(key.encode(), f"{path}{time}".encode(), "sha256")).rstrip(b"=").decode()\nurl = f"{path}?PARAMETER={time}-{mac}"',
  A: 'random = secrets.token_hex(8)\nhash = md5(f"{path}-{time}-{random}-0-{key}")\nurl = f"{path}?PARAMETER={time}-{random}-0-{hash}"',
  B: 'minute = (datetime.fromtimestamp(time, timezone(timedelta(hours=8)))).strftime("%Y%m%d%H%M")\nurl = f"/{minute}/{md5(key + minute + path)}{path}"',
  C: 'hex = f"{time:x}"\nurl = f"/{md5(key + path + hex)}/{hex}{path}"',
  D: 'url = f"{path}?PARAMETER={md5(key + path + str(time))}&t={time}"',
}
const php: Record<TokenKind, string> = {
  hmac: '$mac = rtrim(strtr(base64_encode(hash_hmac("sha256", $path . $time, $key, true)), "+/", "-_"), "=");\n$url = "$path?PARAMETER=$time-$mac";',
  A: '$random = bin2hex(random_bytes(8));\n$hash = md5("$path-$time-$random-0-$key");\n$url = "$path?PARAMETER=$time-$random-0-$hash";',
  B: '$minute = gmdate("YmdHi", $time + 8 * 3600);\n$url = "/$minute/" . md5($key . $minute . $path) . $path;',
  C: '$hex = dechex($time);\n$url = "/" . md5($key . $path . $hex) . "/$hex$path";',
  D: '$url = "$path?PARAMETER=" . md5($key . $path . $time) . "&t=$time";',
}
const begins: Record<Language, string> = {
  'Node.js':
    "import { createHash, createHmac, randomBytes } from 'node:crypto'\n\nconst md5 = (text) => createHash('md5').update(text).digest('hex')\nconst time = Math.floor(Date.now() / 1000)\n",
  Python:
    'import base64, hashlib, hmac, secrets\nfrom datetime import datetime, timedelta, timezone\n\nmd5 = lambda text: hashlib.md5(text.encode()).hexdigest()\ntime = int(datetime.now().timestamp())\n',
  PHP: '$time = time();\n',
}
const samples: Record<Language, Record<TokenKind, string>> = { 'Node.js': node, Python: python, PHP: php }

/** `path` and `key` are variables of the application. */
export const sampleOf = (language: Language, kind: TokenKind, parameter: string): string =>
  `${begins[language]}${samples[language][kind].replaceAll('PARAMETER', parameter)}\n`
