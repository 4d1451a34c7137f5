import { createWriteStream, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type SessionEntry, type SessionQuery, answered } from '@access-gateway/client';
import { verifyCommand } from '../../../../src/sessions/evidence/files/verify-command.js';
import type { Context } from '../context.js';
import { CommandFault, EXIT } from '../exit-codes.js';
import { harmless } from '../shown/harmless.js';

/** `gateway sessions list` */
export async function list({ gateway, output }: Context, query: SessionQuery, limit: number): Promise<void> {
  const found: SessionEntry[] = [];
  for await (const one of gateway.sessions(query)) {
    if (found.push(one) >= limit) break;
  }
  output.table(
    found,
    ['ID', 'STARTED', 'STATUS', 'EXIT', 'VERB', 'CONNECTION', 'WHO'],
    found.map((one) => [
      one.id,
      one.start_date,
      one.status,
      one.exit_code,
      one.verb,
      one.connection,
      one.user,
    ]),
  );
}

export interface TailOptions {
  readonly events?: string;
}

/** `gateway sessions tail`: prints events as they are recorded, until the session ends. */
export async function tail(
  { gateway, output, signal }: Context,
  id: string,
  { events = 'ioe' }: TailOptions,
): Promise<void> {
  const shown = new Texts();
  for await (const message of gateway.events(id, { signal })) {
    if (message.kind === 'end') {
      output.say(`The session ended${message.exitCode === null ? '' : ` with ${message.exitCode}`}.`);
    } else if (events.includes(message.type)) {
      const text = shown.next(message.content, message.continues);
      const mark = message.type === 'i' ? '> ' : '';
      process.stdout.write(harmless(`${mark}${text}${ending(message.type, text, message.continues)}`));
    }
  }
}

export interface ReplayOptions {
  readonly speed: number;
  /** Maximum pause in seconds. */
  readonly idle: number;
}

/** `gateway sessions replay`: prints a recording with its pauses. Escapes control characters. */
export async function replay(
  { gateway, signal }: Context,
  id: string,
  { speed, idle }: ReplayOptions,
): Promise<void> {
  const shown = new Texts();
  let at = 0;
  for await (const message of gateway.events(id, { signal })) {
    if (message.kind === 'end') return;
    const pause = Math.min(Math.max(message.time - at, 0), idle) / speed;
    at = message.time;
    await delay(pause * 1000, undefined, { signal });
    const text = shown.next(message.content, message.continues);
    const mark = message.type === 'i' ? '> ' : '';
    process.stdout.write(harmless(`${mark}${text}${ending(message.type, text, message.continues)}`));
  }
}

/** `gateway sessions download` */
export async function download(
  { gateway, output, signal }: Context,
  id: string,
  { format, to }: { readonly format: string; readonly to: string },
): Promise<void> {
  const { response } = await gateway.api.GET('/sessions/{session_id}', {
    params: { path: { session_id: id }, query: { extension: format } },
    parseAs: 'stream',
  });
  if (response.body === null) throw new CommandFault('the file is empty', EXIT.fault);
  const content = Readable.fromWeb(response.body);
  if (to === '-') return output.whole(content);
  try {
    await pipeline(content, createWriteStream(to, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new CommandFault(`${to} is there already`, EXIT.usage);
    // A partial recording looks like a complete one, so delete it.
    rmSync(to, { force: true });
    throw error;
  }
  output.say(`Written to ${to}.`);
}

/** `gateway sessions verify`: the gateway verifies the recording. */
export async function verify({ gateway, output }: Context, id: string): Promise<number> {
  const found = await answered(
    gateway.api.GET('/sessions/{session_id}/verify', { params: { path: { session_id: id } } }),
  );
  output.fields(found, {
    status: found.status,
    events: found.events,
    sealed: found.sealed,
    'chain hash': found.chain_hash,
    faults: found.faults.map(({ reason }) => reason),
  });
  if (found.status === 'valid') return EXIT.ok;
  return found.status === 'broken' ? EXIT.failed : EXIT.refused;
}

/** `gateway sessions verify-file`: verifies an evidence file without a gateway. */
export function verifyFile(args: string[]): Promise<number> {
  return verifyCommand(args, process.env, (text) => process.stdout.write(harmless(text)));
}

/** Returns a line break if an input does not end with one, so that the next event starts on a new line. */
function ending(type: string, text: string, continues: boolean): string {
  return type === 'i' && !continues && !text.endsWith('\n') ? '\n' : '';
}

/** Decodes long events, which arrive in pieces that may end within a character. */
class Texts {
  private decoder = new TextDecoder();

  next(content: Uint8Array, continues: boolean): string {
    const text = this.decoder.decode(content, { stream: continues });
    if (!continues) this.decoder = new TextDecoder();
    return text;
  }
}
