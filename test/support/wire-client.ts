import { type Socket, connect } from 'node:net';
import { once } from 'node:events';
import { PostgresProxySettings } from '../../src/platform/config/groups';
import { dialUpstream } from '../../src/proxies/postgres/upstream';
import type { TestDatabase } from './database';
import type { Person, TestGateway } from './gateway';
import { answer, startUp } from './raw-client';
import { secretOf } from './target';

export interface Said {
  readonly type: string;
  readonly body: Buffer;
}

/** A signed-in client that sends given messages, and reads the answer message by message. */
export class WireClient {
  private chunks: Buffer[] = [];
  private held = 0;
  private wake: () => void = () => undefined;
  /** Whether the connection is closed. */
  isOver = false;
  /** The server's messages after the password, up to ReadyForQuery or the end of the connection. */
  greeting: readonly Said[] = [];

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.chunks.push(chunk);
      this.held += chunk.length;
      this.wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isOver = true;
      this.wake();
    });
  }

  /** Signs in at the gateway's PostgreSQL port with the person's own token. */
  static async through(
    gateway: TestGateway,
    database: string,
    person: Person = 'admin',
    parameters: Record<string, string> = {},
  ): Promise<WireClient> {
    const client = await WireClient.tried(gateway, database, person, parameters);
    if (client.greeting.at(-1)?.type !== 'Z')
      throw new Error(`not let in: ${shown(client.greeting).join(' ')}`);
    return client;
  }

  /** Signs in as `through` does, but also returns a client that the gateway refused. */
  static async tried(
    gateway: TestGateway,
    database: string,
    person: Person = 'admin',
    parameters: Record<string, string> = {},
    version?: number,
  ): Promise<WireClient> {
    const socket = connect(gateway.app.get(PostgresProxySettings).port, '127.0.0.1');
    await once(socket, 'connect');
    const client = new WireClient(socket);
    client.send(startUp({ user: person, database, ...parameters }, version));
    const first = await client.next();
    if (first?.type === 'R') client.send(answer(`${await gateway.token(person)}\0`));
    client.greeting = [...(first?.type === 'E' ? [first] : []), ...(await client.until('Z'))];
    return client;
  }

  /** Signs in at the target, without a gateway. */
  static async direct(target: TestDatabase): Promise<WireClient> {
    const { socket, rest } = await dialUpstream(
      secretOf(target),
      { parameters: [], protocolMinor: 0 },
      new AbortController().signal,
    );
    const client = new WireClient(socket);
    if (rest.length > 0) socket.unshift(rest);
    socket.resume();
    return client;
  }

  send(...messages: readonly Buffer[]): this {
    this.socket.write(Buffer.concat(messages));
    return this;
  }

  /** Sends messages. Returns the answer up to the next ReadyForQuery, one line for each message. */
  async ask(...messages: readonly Buffer[]): Promise<string[]> {
    return shown(await this.send(...messages).until('Z'));
  }

  /** Reads all messages up to one of this type, or up to the end of the connection. */
  async until(type: string): Promise<Said[]> {
    const all: Said[] = [];
    for (;;) {
      const one = await this.next();
      if (one === undefined) return all;
      all.push(one);
      if (one.type === type) return all;
    }
  }

  /** Reads up to the given number of ReadyForQuery messages. Returns one line for each message. */
  async ready(times = 1): Promise<string[]> {
    const all: string[] = [];
    for (let count = 0; count < times; count += 1) all.push(...shown(await this.until('Z')));
    return all;
  }

  /** Reads the next message; undefined if the connection is closed. */
  async next(): Promise<Said | undefined> {
    const head = await this.take(5);
    if (head === undefined) return undefined;
    const body = await this.take(head.readUInt32BE(1) - 4);
    return body && { type: head.toString('latin1', 0, 1), body };
  }

  close(): void {
    this.socket.destroy();
  }

  private async take(count: number): Promise<Buffer | undefined> {
    while (this.held < count) {
      if (this.isOver) return undefined;
      await new Promise<void>((woken) => {
        this.wake = woken;
      });
    }
    const all = this.chunks.length === 1 ? (this.chunks[0] as Buffer) : Buffer.concat(this.chunks);
    this.chunks = count === all.length ? [] : [all.subarray(count)];
    this.held -= count;
    return all.subarray(0, count);
  }
}

/** Fields of an error or a notice, by letter. */
export function fieldsOf({ body }: Said): Readonly<Record<string, string>> {
  const fields = body
    .toString()
    .split('\0')
    .filter((field) => field !== '');
  return Object.fromEntries(fields.map((field) => [field.slice(0, 1), field.slice(1)]));
}

/** The cells of a DataRow. */
export function cellsOf({ body }: Said): (Buffer | null)[] {
  const cells: (Buffer | null)[] = [];
  let at = 2;
  for (let count = body.readUInt16BE(0); count > 0; count -= 1) {
    const length = body.readInt32BE(at);
    at += 4;
    cells.push(length === -1 ? null : body.subarray(at, at + length));
    at += Math.max(length, 0);
  }
  return cells;
}

/** Names of the columns of a RowDescription. */
export function namesOf({ body }: Said): string[] {
  const names: string[] = [];
  let at = 2;
  for (let count = body.readUInt16BE(0); count > 0; count -= 1) {
    const end = body.indexOf(0, at);
    names.push(body.toString('utf8', at, end));
    at = end + 19;
  }
  return names;
}

/**
 * Formats messages of the server, one line each: `D a|b`, `C SELECT 1`, `E 42501 Not here.`, `Z I`. Some
 * types are shown by their letter only.
 */
export function shown(messages: readonly Said[]): string[] {
  return messages.map((said) => {
    const { type, body } = said;
    if (type === 'D')
      return `D ${cellsOf(said)
        .map((cell) => cell?.toString() ?? 'NULL')
        .join('|')}`;
    if (type === 'T') return `T ${namesOf(said).join('|')}`;
    if (type === 'C') return `C ${body.toString('utf8', 0, body.length - 1)}`;
    if (type === 'E' || type === 'N') return `${type} ${fieldsOf(said)['C']} ${fieldsOf(said)['M']}`;
    if (type === 'Z' || type === 'd') return `${type} ${body.toString()}`;
    if (type === 'S') return `S ${body.toString().split('\0').slice(0, 2).join('=')}`;
    return type;
  });
}
