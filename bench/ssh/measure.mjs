// Measures one route to the server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../kit/figures.mjs';
import { memoryOf, processorSeconds, startPart } from '../kit/processes.mjs';

/** Time in which memory settles before it is read. */
const SETTLES_MS = 2_000;

/**
 * @param kind name of the file
 * @returns MB a second of scp from the server, and the processor seconds of the process on the way
 */
export function download(column, kind, megabytes) {
  const to = join(column.remote.folder, 'downloaded.bin');
  return copied(column, [`${column.user}@127.0.0.1:${column.remote.files[kind]}`, to], to, megabytes);
}

/** The same of scp to the server. */
export function upload(column, kind, megabytes) {
  const to = join(column.remote.folder, 'uploaded.bin');
  return copied(column, [column.remote.files[kind], `${column.user}@127.0.0.1:${to}`], to, megabytes);
}

async function copied(column, [from, to], file, megabytes) {
  const before = processorSeconds(column.pid);
  const began = performance.now();
  const child = spawn('scp', ['-s', ...options(column), '-P', String(column.port), from, to], {
    env: { PATH: process.env.PATH, HOME: column.remote.folder, ...askpass(column) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'close');
  const seconds = (performance.now() - began) / 1000;
  rmSync(file, { force: true });
  if (code !== 0) throw new Error(`scp ended with ${code}`);
  return { value: megabytes / seconds, cost: processorSeconds(column.pid) - before };
}

function options({ knownHosts, keyFile, password }) {
  const settings = [
    `UserKnownHostsFile=${knownHosts}`,
    'GlobalKnownHostsFile=/dev/null',
    'LogLevel=ERROR',
    ...(password === undefined
      ? ['IdentitiesOnly=yes', `IdentityFile=${keyFile}`]
      : ['PubkeyAuthentication=no', 'NumberOfPasswordPrompts=1']),
  ];
  return ['-F', '/dev/null', ...settings.flatMap((setting) => ['-o', setting])];
}

function askpass({ password, remote }) {
  if (password === undefined) return {};
  const file = join(remote.folder, 'askpass');
  writeFileSync(file, '#!/bin/sh\nprintf "%s\\n" "$BENCH_PASSWORD"\n');
  chmodSync(file, 0o700);
  return { SSH_ASKPASS: file, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: 'none', BENCH_PASSWORD: password };
}

/** @returns the median in ms of a command, and the processor seconds of the process on the way */
export const commands = (column, count) => timed(column, 'commands', count);

/** @returns the median in ms from a key to what it shows */
export const keystrokes = (column, count) => timed(column, 'keystrokes', count);

async function timed(column, what, count) {
  const before = processorSeconds(column.pid);
  const [took] = await once(asked(column, what, count), 'message');
  return { value: median(took), cost: processorSeconds(column.pid) - before };
}

/** @returns the memory in MB of the process on the way before, with, and after idle shells */
export async function idleShells(column, count) {
  const before = memoryOf(column.pid);
  const client = asked(column, 'shells', count);
  await once(client, 'message');
  await delay(SETTLES_MS);
  const idle = memoryOf(column.pid);
  client.send('end');
  await once(client, 'exit');
  await delay(SETTLES_MS);
  return { before, idle, after: memoryOf(column.pid) };
}

function asked({ port, user, password, keyFile }, what, count) {
  const client = startPart('ssh/client.mjs');
  client.send({ what, count, port, user, password, keyFile });
  return client;
}
