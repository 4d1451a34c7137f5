import 'reflect-metadata';
import { createHook } from 'node:async_hooks';
import Module from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { PinoLogger } from 'nestjs-pino';
import { readEnvironment } from '../../../src/platform/config/environment';
import { completeSettings } from '../../../src/platform/config/settings';
import { logLines } from '../../../src/platform/http/logs/logging';
import { serve } from '../../../src/process/serve';
// Loads these modules now instead of on demand, so that their timers do not count as the gateway's.
import '../../../src/platform/metrics/exposition';
import '../../../src/process/serve-metrics';
import { Started } from '../../../src/process/shutdown';
import type { Command, Report } from './closing-gateway';

/**
 * A program that starts one gateway after another as `main.ts` does, and stops each without exiting. It
 * reports what a stopped gateway left behind, which the exit of a process hides: resources of Node.js, lines
 * of the log, and errors that nobody catches.
 */

/** Types of watched resources. Other resources, such as promises, last only until garbage collection. */
const WATCHED =
  /^(?:Timeout|Immediate|TCP\w*|PIPE\w*|TLSWRAP|HTTP\w*REQUEST|UDPWRAP|FS\w+|STATWATCHER|PROCESSWRAP|WORKER|MESSAGEPORT|SIGNALWRAP|GETADDRINFOREQWRAP|WRITEWRAP|SHUTDOWNWRAP)$/;

/** Resources that belong to the process and not to one gateway, by the code that makes them. */
const OF_PROCESS = [
  // The time limit of an `AbortSignal.timeout`: it ends with the signal, and keeps no process alive.
  /node:internal\/abort_controller/,
  // The timer of the Date header, which all answers within one second share.
  /node:internal\/http:/,
  // Connections of `fetch`, which Node.js keeps for the next request for a few seconds.
  /node:internal\/deps\/undici/,
  /node:internal\/perf\/observe/,
  // Entries of a rate limiter that expire: they delete themselves from their map, and keep no process alive.
  /rate-limiter-flexible\/lib\/component\/MemoryStorage/,
];

/** Ticks of the event loop after which Node.js has reported all closed handles as destroyed. */
const TURNS = 5;
/** Time for which a closed gateway is watched. It is longer than the timers that belong to requests. */
const WATCHED_MS = 1_200;
const FRAMES = 5;

/** A resource, with the stack of the code that made it. V8 formats the stack only when it is read. */
interface Made {
  readonly type: string;
  readonly stack?: string;
}

const living = new Map<number, Made>();
const begunLater = new Set<Made>();
const errors: string[] = [];
let lines: string[] = [];
let started = new Started();
let isWatching = false;
let isClosed = false;

const hook = {
  // Most resources of a gateway are promises, and tracking each promise is slow. The TypeScript types of
  // Node.js do not have this option yet.
  trackPromises: false,
  init(id: number, type: string) {
    if (!isWatching || !WATCHED.test(type)) return;
    const made = madeHere(type);
    living.set(id, made);
    if (isClosed) begunLater.add(made);
  },
  destroy(id: number) {
    living.delete(id);
  },
};
createHook(hook).enable();

for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) => errors.push(`${event}: ${textOf(error)}`));

function madeHere(type: string): Made {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const made: Made = { type };
  Error.captureStackTrace(made, madeHere);
  Error.stackTraceLimit = limit;
  return made;
}

/** Returns descriptions of the resources, except those that belong to the process. */
function told(all: Iterable<Made>): string[] {
  return [...new Set([...all].map(describe))].filter((what) => !OF_PROCESS.some((known) => known.test(what)));
}

/** Returns the type of a resource, with file and line of the last calls before it was made. */
function describe({ type, stack = '' }: Made): string {
  const places = stack
    .split('\n')
    .slice(1)
    .map((frame) => /\(?((?:node:|\/)[^()]+)\)?$/.exec(frame)?.[1] ?? '')
    .filter((place) => place !== '' && !/internal\/(?:timers|async_hooks)|closing\/program/.test(place))
    .map((place) => place.replace(/^.*\/((?:src|node_modules)\/)/, '$1'))
    .slice(0, FRAMES);
  return `${type} ${places.join(' < ')}`;
}

async function start(variables: Readonly<Record<string, string>>): Promise<void> {
  started = new Started();
  lines = [];
  errors.length = 0;
  living.clear();
  begunLater.clear();
  logLines().onLine = (line) => lines.push(line);
  const settings = completeSettings(readEnvironment(variables));
  isWatching = true;
  await serve({ settings, demo: undefined }, started);
}

/**
 * Removes the logger of the app while the app still runs, as happens between two test files of one process.
 */
function loseLogger(): void {
  Object.assign(PinoLogger, { root: undefined });
}

async function stop(): Promise<Report> {
  await started.stop();
  const logged = lines.length;
  isWatching = false;
  const watched = Promise.all([whatIsLeft(), delay(WATCHED_MS)]);
  isWatching = true;
  isClosed = true;
  const [left] = await watched;
  isWatching = false;
  isClosed = false;
  return { left, begunLater: told(begunLater), logged: lines.slice(logged), errors: [...errors] };
}

async function whatIsLeft(): Promise<string[]> {
  for (let count = 0; count < TURNS; count += 1) await ownTurn();
  return told(living.values());
}

function ownTurn(): Promise<void> {
  const was = isWatching;
  isWatching = false;
  const turn = new Promise<void>((resolve) => setImmediate(resolve));
  isWatching = was;
  return turn;
}

async function obey(command: Command): Promise<Report | undefined> {
  if (command.kind === 'stop') return stop();
  if (command.kind === 'start') await start(command.variables);
  else loseLogger();
  return undefined;
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// Writes the compile cache now (from Node.js 22.10), because this process is killed and never exits itself.
(Module as { flushCompileCache?: () => void }).flushCompileCache?.();

process.on('message', (command: Command) => {
  obey(command).then(
    (report) => process.send?.({ kind: 'done', report }),
    (error: unknown) => process.send?.({ kind: 'failed', why: textOf(error) }),
  );
});
