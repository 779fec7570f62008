/** The kit gallery, built apart from the product: `npm run gallery -w console` writes it to `dist-gallery`. */
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  plugins: [react(), tailwind()],
  // The gallery uses no file of `public`.
  publicDir: false,
  build: {
    target: 'es2023',
    outDir: process.env.GALLERY_OUT ?? 'dist-gallery',
    emptyOutDir: true,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: { input: 'gallery.html' },
  },
})
