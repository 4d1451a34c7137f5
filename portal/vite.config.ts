import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// A build is the same whatever the shell that asks for it has, or the test that finds it stale: React has
// other code for development.
process.env['NODE_ENV'] = 'production';

export default defineConfig({
  plugins: [react()],
  // The gateway knows at which path browsers see it, and writes it into the page.
  base: './',
  // A successful build prints nothing.
  logLevel: 'warn',
  build: {
    chunkSizeWarningLimit: 600,
    outDir: '../dist/portal',
    emptyOutDir: true,
    target: 'es2023',
    // A file that is written into a page as `data:` would need a wider policy (Content-Security-Policy).
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Code that was lost with its gateway is loaded again; the styles of a screen
    // would not be, and it would stay without them.
    cssCodeSplit: false,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Code that many screens share comes with the first one, in one file: a list would request twenty small
      // ones, of which a browser requests six at a time.
      output: { codeSplitting: { groups: [{ name: 'parts', minShareCount: 6 }] } },
    },
  },
});
