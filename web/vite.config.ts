import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative addresses, so that an exported site works from any sub-path.
  base: './',
  build: {
    outDir: fileURLToPath(new URL('../dist/studio', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    // Nothing as data: in the page, where the content security policy would have to allow it.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
  },
  // `npm run dev -w web` beside `sceneshift studio --port 4600`.
  server: { proxy: { '/api': { target: 'http://127.0.0.1:4600', changeOrigin: true, headers: { origin: '' } } } },
});
