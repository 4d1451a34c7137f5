import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// Forces production, so that the environment of the calling shell or test does not change the build. React
// has different code for development.
process.env['NODE_ENV'] = 'production';

export default defineConfig({
  plugins: [react()],
  // Relative, because only the gateway knows its path for browsers. The gateway writes this path into the
  // page.
  base: './',
  // A successful build prints nothing.
  logLevel: 'warn',
  build: {
    chunkSizeWarningLimit: 600,
    outDir: '../dist/portal',
    emptyOutDir: true,
    target: 'es2023',
    // Inlines no file as a `data:` URL, because that needs a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All styles are in one file. After a failed download, code is loaded again, but the separate styles of a
    // screen would not be, and the screen would stay without them.
    cssCodeSplit: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Puts code that many screens share into one file. Otherwise a list would request twenty small files,
      // and a browser requests only six at a time.
      output: { codeSplitting: { groups: [{ name: 'parts', minShareCount: 6 }] } },
    },
  },
});
