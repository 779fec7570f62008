import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import { gzipAsync } from '@gfx/zopfli'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { chunks } from './chunks.ts'

export default defineConfig({
  plugins: [react(), tailwind(), earlyTheme(), withoutJsonSchema(), withoutEnglish(), chunks(), precompress()],
  server: { proxy: { '/api': process.env.BREAKWATER_API ?? 'http://127.0.0.1:8080' } },
  build: {
    target: 'es2023',
    // Fonts and images as files: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
})

/**
 * The theme's script as a separate file that runs before the first paint; modules run later and would cause a flash.
 */
function earlyTheme(): Plugin {
  const path = 'src/platform/early-theme.js'
  const name = 'early-theme.js'
  let isServing = false
  return {
    name: 'early-theme',
    configResolved({ command }) {
      isServing = command === 'serve'
    },
    buildStart() {
      if (isServing) return
      this.emitFile({ type: 'asset', name, source: readFileSync(new URL(path, import.meta.url)) })
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const built = Object.values(bundle).find((file) => file.type === 'asset' && file.names.includes(name))
        return [{ tag: 'script', attrs: { src: `/${built?.fileName ?? path}` }, injectTo: 'head-prepend' }]
      },
    },
  }
}

/**
 * Writes `.br` and `.gz` beside every text file once, so that the server compresses nothing while people wait. Zopfli
 * takes some ten seconds for all of them and makes each 4 % smaller than zlib at its best.
 */
function precompress(): Plugin {
  let folder = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root, build }) {
      folder = join(root, build.outDir)
    },
    async closeBundle() {
      const brotli: Promise<void>[] = []
      for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !/\.(js|css|html|svg|json)$/.test(entry.name)) continue
        const path = join(entry.parentPath, entry.name)
        const bytes = readFileSync(path)
        // Brotli runs on other threads, as Zopfli occupies this one.
        brotli.push(promisify(brotliCompress)(bytes).then((packed) => writeFileSync(`${path}.br`, packed)))
        writeFileSync(`${path}.gz`, await gzipAsync(bytes, { numiterations: 5 }))
      }
      await Promise.all(brotli)
    },
  }
}

/**
 * Leaves out zod's JSON Schema generator: schemas refer to it in their constructors, so tree shaking cannot drop it,
 * and only the server writes the API's document. Calling it in the console throws an error.
 */
function withoutJsonSchema(): Plugin {
  return {
    name: 'without-json-schema',
    apply: 'build',
    load(id) {
      if (!/\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/.test(id)) return
      const source = readFileSync(id, 'utf8')
      const names = [...source.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
      const aliases = [...source.matchAll(/^export \{ \w+ as (\w+) \};/gm)].map(([, name]) => name)
      const absent = "const absent = () => () => { throw new Error('the console writes no JSON Schema') }\n"
      const all = [...names, ...aliases, ...[...source.matchAll(/^export \{ (\w+) as /gm)].map(([, name]) => name)]
      return absent + [...new Set(all)].map((name) => `export const ${name} = absent`).join('\n')
    },
  }
}

/** Leaves out zod's own English messages: errors are described by the contract's reasons, in the person's language. */
function withoutEnglish(): Plugin {
  return {
    name: 'without-english',
    apply: 'build',
    load(id) {
      if (!/\/zod\/v4\/locales\/en\.js$/.test(id)) return
      return "export default () => ({ localeError: () => 'Invalid input' })"
    },
  }
}
