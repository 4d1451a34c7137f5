// Loaded into a gateway process with `--require`. On SIGUSR2, writes a log line with the loaded packages that
// are not in the gateway's bundle.
const IN_FOLDER = /node_modules\/((?:@[^/]+\/)?[^/]+)/g;

process.on('SIGUSR2', () => {
  const names = Object.keys(require.cache).map((file) => [...file.matchAll(IN_FOLDER)].at(-1)?.[1]);
  const packages = [...new Set(names)].filter((name) => name !== undefined).sort();
  process.stdout.write(`${JSON.stringify({ msg: 'loaded packages', packages })}\n`);
});
