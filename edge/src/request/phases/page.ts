/** The edge's own pages: self-contained, light and dark, with no external resources. */
import type { Language } from '../lib/accept.ts'

const style = `:root{color-scheme:light dark}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:#f5f6f8;color:#1b2430;font:16px/1.6 system-ui,-apple-system,"Segoe UI","Noto Sans","PingFang SC","Microsoft JhengHei",sans-serif}
main{width:100%;max-width:34rem;background:#fff;border:1px solid #dfe3e8;border-radius:12px;padding:32px}
h1{font-size:1.35rem;line-height:1.35;margin:0 0 8px}
p{margin:0 0 16px;color:#4b5663}
dl{margin:24px 0 0;border-top:1px solid #dfe3e8;padding-top:16px;font-size:.85rem;color:#4b5663}
dd{margin:0;font-family:ui-monospace,monospace;overflow-wrap:anywhere}
button,input{font:inherit;border-radius:8px;padding:10px 16px}
button{border:0;background:#0b5fd0;color:#fff;cursor:pointer}
button:disabled{opacity:.6;cursor:default}
button.quiet{background:none;color:inherit;padding:0;text-decoration:underline}
input{border:1px solid #8a94a0;background:transparent;color:inherit}
input[type=range]{width:100%;padding:0}
:focus-visible{outline:3px solid #6ea8fe;outline-offset:2px}
progress{width:100%;height:8px;accent-color:#0b5fd0}
svg,img{display:block;height:auto;margin:0 0 16px;max-width:100%;color:inherit}
@media(prefers-color-scheme:dark){body{background:#12161c;color:#e8ecf1}main{background:#1b212a;border-color:#313a46}p,dl{color:#a9b4c1}dl{border-color:#313a46}button{background:#3d8bfd;color:#04101f}button.quiet{background:none;color:inherit}}`

/** `body` is our own markup; any text in it is a phrase of ours or already escaped. */
export function page(language: Language, title: string, body: string): string {
  return `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${style}</style></head><body><main><h1>${title}</h1>${body}</main></body></html>`
}
