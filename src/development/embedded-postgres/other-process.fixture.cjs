// A gateway process of its own, for specs that kill one: node other-process.fixture.cjs <dataDir>
// Prints the port when the server answers; stops it when its standard input ends.
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
