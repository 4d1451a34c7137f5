// Preloaded with `node --require loaded.fixture.cjs`. When the process exits, writes the number of loaded
// modules, and the loaded files of OpenTelemetry, to the file `LOADED_FILE`.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const loaded = Object.keys(require.cache).filter((file) => /[\\/]@opentelemetry[\\/]/.test(file));
  writeFileSync(process.env.LOADED_FILE, JSON.stringify({ all: Object.keys(require.cache).length, loaded }));
});
