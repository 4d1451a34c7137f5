// State of the process that all test files of a worker share: variables,
// globals, built-in modules, listeners.

const BUILT_IN = [
  'child_process',
  'crypto',
  'dns',
  'fs',
  'fs/promises',
  'http',
  'https',
  'net',
  'os',
  'timers',
  'tls',
];

/** Objects whose properties tests replace. A built-in module is one object for all files. */
const OBJECTS = Object.entries({
  globalThis,
  Math,
  Date,
  JSON,
  performance,
  ...Object.fromEntries(BUILT_IN.map((name) => [name, require(`node:${name}`)])),
});

/** Properties that may change: Jest sets them for each file, or packages keep their state there. */
const OF_OTHERS = new Set([
  'globalThis.console',
  'globalThis.expect',
  'globalThis.jest',
  'globalThis.SwaggerGlobalParametersStorage',
  'globalThis.SwaggerGlobalResponsesStorage',
  'globalThis.__zod_globalConfig',
  'globalThis.__zod_globalRegistry',
  'globalThis.classValidatorMetadataStorage',
  'globalThis.typeormMetadataArgsStorage',
  // Node.js creates this property on first access.
  'crypto.pseudoRandomBytes',
]);

/** Events whose listeners may stay: packages add them for `exit`, Node.js for messages of its cluster. */
const EVENTS_OF_OTHERS = new Set(['exit', 'internalMessage']);

/** Stores the shared state. Returns a function that restores all changes and returns their names. */
exports.rememberShared = () => {
  const variables = { ...process.env };
  const remembered = OBJECTS.map(([name, object]) => ({ name, object, before: propertiesOf(object) }));
  const listeners = processListeners();
  const folder = process.cwd();
  return () => [
    ...restoreVariables(variables),
    ...remembered.flatMap(restoreProperties),
    ...removeListeners(listeners),
    ...returnTo(folder),
  ];
};

function restoreVariables(before) {
  return keysOf(before, process.env)
    .filter((name) => before[name] !== process.env[name])
    .map((name) => {
      if (before[name] === undefined) delete process.env[name];
      else process.env[name] = before[name];
      return `the environment variable ${String(name)}, which it changed`;
    });
}

function restoreProperties({ name, object, before }) {
  const after = propertiesOf(object);
  return (
    keysOf(before, after)
      // Skips new symbols, because a package that can be loaded twice shares its state under a symbol.
      .filter((key) => typeof key === 'string' || key in before)
      .filter((key) => !Object.is(valueOf(before[key]), valueOf(after[key])))
      .filter((key) => !OF_OTHERS.has(`${name}.${String(key)}`))
      .map((key) => {
        if (before[key] === undefined) delete object[key];
        else Object.defineProperty(object, key, before[key]);
        return `${name}.${String(key)}, which it changed`;
      })
  );
}

function removeListeners(before) {
  return processListeners()
    .filter(([event, listener]) => !before.some(([ev, known]) => ev === event && known === listener))
    .map(([event, listener]) => {
      process.removeListener(event, listener);
      return `a listener for '${String(event)}' of the process: ${listener.name || String(listener).slice(0, 80)}`;
    });
}

function returnTo(folder) {
  const last = process.cwd();
  process.chdir(folder);
  return last === folder ? [] : [`the working directory ${last}`];
}

function propertiesOf(object) {
  return Object.getOwnPropertyDescriptors(object);
}

function valueOf(descriptor) {
  return descriptor?.value ?? descriptor?.get;
}

function keysOf(...objects) {
  return [...new Set(objects.flatMap((object) => Reflect.ownKeys(object)))];
}

function processListeners() {
  return process
    .eventNames()
    .filter((event) => !EVENTS_OF_OTHERS.has(event))
    .flatMap((event) => process.rawListeners(event).map((listener) => [event, listener]));
}
