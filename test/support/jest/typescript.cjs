// Teaches require() TypeScript, and keeps the source maps of what it compiled.
const { mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { transformSync } = require('@swc/core');

const OPTIONS = {
  configFile: false,
  swcrc: false,
  sourceMaps: true,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
};

const maps = new Map();
let folder;

Module._extensions['.ts'] = (module, file) => {
  const { code, map } = transformSync(readFileSync(file, 'utf8'), { ...OPTIONS, filename: file });
  maps.set(file, map);
  module._compile(code, file);
};

/** Jest asks for the name of a file with the source map: it is written when a stack trace needs it. */
exports.sourceMapFiles = {
  get(file) {
    const map = maps.get(file);
    if (map === undefined) return undefined;
    folder ??= temporaryFolder();
    const name = path.join(folder, `${Buffer.from(file).toString('base64url').slice(-100)}.map`);
    writeFileSync(name, map);
    return name;
  },
};

function temporaryFolder() {
  const made = mkdtempSync(path.join(tmpdir(), 'gateway-maps-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}
