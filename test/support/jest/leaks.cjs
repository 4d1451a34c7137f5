// Fails a test file that leaves resources open, and names each of them: see README.md.
const { AsyncLocalStorage, createHook } = require('node:async_hooks');
const path = require('node:path');
const { setTimeout: delay } = require('node:timers/promises');
const { rememberShared } = require('./shared-state.cjs');

// Keeps the real functions, because a test file may end with fake timers.
const { setImmediate } = globalThis;
const now = performance.now.bind(performance);

const ROOT = path.join(__dirname, '../../..');

/**
 * Whether leaks are checked: only with the Node.js version of `npm test`. Older versions create globals on
 * first access, keep sockets of fetch() open, and track all promises for a hook. To find differences in the
 * product, `npm run test:node -- oldest` runs a part of the same tests with an older version.
 */
const IS_CHECKED = Number(process.versions.node.split('.')[0]) >= 24;

/** Resources that Node.js keeps until they are closed, with their names in the failure message. */
const KINDS = {
  FSEVENTWRAP: 'a watcher of files',
  PIPESERVERWRAP: 'a server of a local socket',
  PIPEWRAP: 'a local socket or the pipe of a child process',
  PROCESSWRAP: 'a child process',
  SIGNALWRAP: 'a listener for a signal',
  STATWATCHER: 'a watcher of a file',
  TCPSERVERWRAP: 'a TCP server',
  TCPWRAP: 'a TCP socket',
  Timeout: 'a timer',
  UDPWRAP: 'a UDP socket',
  WORKER: 'a worker thread',
};

/**
 * Timers that nothing can cancel, by the function that set them. None runs code of the product or of a test.
 */
const HARMLESS = [
  // AbortSignal.timeout() cannot be canceled. Its timer holds the signal weakly, and does not keep the
  // process alive.
  /^setWeakAbortSignalTimeout \(node:internal\/abort_controller/,
  // A rate limiter has a timer for each key, which cannot be canceled. It removes the key from a map, and
  // does not keep the process alive.
  /^MemoryStorage\.set \(.*rate-limiter-flexible/,
  // Node.js keeps the text of the header Date for one second, for all servers of the process.
  /\(node:internal\/http:/,
  // One timer of fetch() for all its connections, which stops when it has nothing to do.
  /\(node:internal\/deps\/undici/,
];

// Opens the process's streams now. Otherwise, they would count as resources of the file that first uses them.
for (const stream of ['stdout', 'stderr']) void process[stream];

/** Test file that owns the current async context; undefined for the worker's own work. */
const owners = new AsyncLocalStorage();
const open = new Map();
let current;

const resources = createHook({
  // Most resources of a test are promises, which need not be closed.
  trackPromises: false,
  init(id, kind, _trigger, resource) {
    if (!(kind in KINDS)) return;
    const owner = owners.getStore();
    if (owner !== undefined) open.set(id, { kind, owner, resource, place: here() });
  },
  destroy(id) {
    open.delete(id);
  },
});
if (IS_CHECKED) resources.enable();

// The exit of a worker thread counts as its end, because Node.js destroys its resource only at the next
// garbage collection.
process.on('worker', (thread) => {
  const started = [...open].find(([, { kind, threadId }]) => kind === 'WORKER' && threadId === undefined);
  if (started === undefined) return;
  const [id, entry] = started;
  entry.threadId = thread.threadId;
  thread.once('exit', () => open.delete(id));
});

/** Maximum stack frames: enough to include a line of the test after the frames of Node.js and packages. */
const FRAMES = 12;

/** Captures the current stack. V8 formats it only when it is read. */
function here() {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const holder = {};
  Error.captureStackTrace(holder, here);
  Error.stackTraceLimit = stackTraceLimit;
  return holder;
}

/** Runs work of the worker, not of a test file. All files share its resources, so they may stay open. */
exports.asWorker = (work) => owners.run(undefined, work);

/** Starts a test file: resources that are opened from now on belong to it. */
exports.beginFile = (file) => {
  current = { file: path.relative(ROOT, file), restoreShared: () => [], hasEnded: false };
  owners.enterWith(current);
};

/**
 * Stores the shared state that the test file may change. It is also called before each of Jest's own files.
 * Only the last call counts, which comes just before the test file is loaded.
 */
exports.rememberShared = () => {
  if (current !== undefined) current.restoreShared = rememberShared();
};

/**
 * Waits until all resources of the test file are closed, at most `withinMs`. Returns sentences about what the
 * file leaves behind.
 */
exports.endFile = async (withinMs) => {
  const owner = current;
  const changed = owner.restoreShared();
  if (!IS_CHECKED) {
    owner.hasEnded = true;
    return [];
  }
  const until = now() + withinMs;
  // Node.js reports only in the next turn of the event loop that a resource was destroyed.
  await new Promise((resolve) => setImmediate(resolve));
  for (let wait = 1; leftBy(owner).length > 0 && now() < until; wait = Math.min(wait * 2, 50))
    await owners.run(undefined, () => delay(wait));
  owner.hasEnded = true;
  return [...changed, ...leftBy(owner).map(sentence)];
};

function leftBy(owner) {
  return [...open.values()].filter((entry) => entry.owner === owner && isOpen(entry));
}

/** Whether a resource counts as open. Formatting a stack is slow, so it is done once for each timer. */
function isOpen(entry) {
  if (entry.kind !== 'Timeout') return true;
  entry.isHarmless ??= HARMLESS.some((pattern) => pattern.test(framesOf(entry.place)[0] ?? ''));
  return !entry.isHarmless;
}

function framesOf({ stack }) {
  return String(stack)
    .split('\n')
    .slice(1)
    .map((line) => line.trim().replace(/^at /, ''))
    .filter(
      (line) =>
        !/node:internal\/(async_hooks|timers)|\(node:timers:/.test(line) && !line.includes(__filename),
    );
}

function sentence({ kind, resource, place }) {
  const frames = framesOf(place);
  const own = frames.filter((line) => line.includes(ROOT) && !line.includes('node_modules'));
  const others = frames.filter((line) => !line.includes('node:'));
  const shown = [own, others, frames].find(({ length }) => length > 0) ?? [];
  const opened = shown.slice(0, 4).map((line) => `\n    at ${line.replaceAll(`${ROOT}${path.sep}`, '')}`);
  return `${KINDS[kind]}${detail(kind, resource)}${opened.length === 0 ? '' : `, opened${opened.join('')}`}`;
}

function detail(kind, resource) {
  if (kind === 'Timeout') return ` of ${resource._idleTimeout} ms`;
  if (kind === 'PROCESSWRAP') return ` (pid ${resource.pid})`;
  if (kind !== 'TCPWRAP' && kind !== 'TCPSERVERWRAP') return '';
  const [from, to] = ['getsockname', 'getpeername'].map((name) => {
    const address = {};
    resource[name]?.(address);
    return address.port === undefined ? '' : String(address.port);
  });
  return to === '' ? ` (port ${from})` : ` (port ${from} to ${to})`;
}

/** Returns the test file that owns the current async context if that file has ended. */
exports.endedOwner = () => {
  const owner = owners.getStore();
  return owner?.hasEnded === true ? owner.file : undefined;
};
