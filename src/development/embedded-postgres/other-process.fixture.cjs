// Starts the embedded PostgreSQL in a separate process that specs can kill. Prints the port when the server
// answers, and stops the server when standard input ends: node other-process.fixture.cjs <dataDir>
const { transformFileSync } = require('@swc/core');

require.extensions['.ts'] = (module, file) => {
  const jsc = { target: 'es2022', parser: { syntax: 'typescript' } };
  module._compile(transformFileSync(file, { jsc, module: { type: 'commonjs' }, swcrc: false }).code, file);
};

const { startEmbeddedPostgres } = require('./embedded-postgres.ts');

async function main() {
  const server = await startEmbeddedPostgres({ dataDir: process.argv[2], durable: false, log: () => {} });
  process.stdin.on('end', () => void server.stop()).resume();
  console.log(server.port);
}

void main();
