// Writes which packages of OpenTelemetry a process has loaded when it exits: node --require
// loaded.fixture.cjs, LOADED_FILE names the file.
const { writeFileSync } = require('node:fs');

process.on('exit', () => {
  const loaded = Object.keys(require.cache).filter((file) => /[\\/]@opentelemetry[\\/]/.test(file));
  writeFileSync(process.env.LOADED_FILE, JSON.stringify({ all: Object.keys(require.cache).length, loaded }));
});
