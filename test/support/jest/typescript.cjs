// Makes require() compile TypeScript, and stores the source maps of the compiled code.
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
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

/**
 * Folder for compiled code, beside the output of the build. It has one entry for each file, and later runs
 * use it too.
 */
const CACHE = path.join(__dirname, '../../../dist/.test-cache');
const SALT = JSON.stringify([OPTIONS, require('@swc/core/package.json').version]);

Module._extensions['.ts'] = (module, file) => {
  const source = readFileSync(file, 'utf8');
  const mark = `//${hashOf(SALT + source)}`;
  const entry = entryOf(file);
  const kept = existsSync(entry) ? readFileSync(entry, 'utf8') : '';
  module._compile(kept.endsWith(mark) ? kept : compile(file, source, entry, mark), file);
};

function compile(file, source, entry, mark) {
  const { code, map } = transformSync(source, { ...OPTIONS, filename: file });
  const marked = `${code}\n${mark}`;
  // Writes the map first, so that code in the cache always has a map.
  write(`${entry}.map`, map);
  write(entry, marked);
  return marked;
}

/** Writes a file atomically, because workers compile the same files in parallel. */
function write(file, text) {
  // A build during the run removes the folder.
  mkdirSync(CACHE, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
}

function entryOf(file) {
  return path.join(CACHE, hashOf(file));
}

function hashOf(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Returns the name of a file's source map. Jest calls `get` when a stack trace needs the map. */
exports.sourceMapFiles = {
  get(file) {
    return require.cache[file] !== undefined && file.endsWith('.ts') ? `${entryOf(file)}.map` : undefined;
  },
};
