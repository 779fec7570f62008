import { readFileSync } from 'node:fs'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

export default defineConfig({
  plugins: [react(), tailwind(), earlyTheme()],
  server: { proxy: { '/api': process.env.BREAKWATER_API ?? 'http://127.0.0.1:8080' } },
  build: {
    target: 'es2023',
    // Fonts and pictures as files: the content policy allows no data: fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})

/** The theme's script, a file of its own that runs before the first paint; modules run after it and would flash. */
function earlyTheme(): Plugin {
  const path = 'src/app/early-theme.js'
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
