import { Draw } from './draw';
import { type Line, type LineOptions, openLine } from './flood-line';
import { startup, sync } from './messages';
import { type Mutation, STAGES, type Stage, drawMutation } from './mutations';

/** Settings of a flood of broken messages. Without `signIn`, only the handshake is attacked. */
export interface Flood extends LineOptions {
  /** Minimum number of messages to send. */
  readonly count: number;
  readonly seed: number;
  /** Throws if the server does not serve a correct client. Called after each batch of broken messages. */
  readonly serveGood: () => Promise<void>;
  /** Time limit in ms from the first broken byte. A connection that is still open then counts as hung. */
  readonly limitMs?: number;
  readonly stages?: readonly Stage[];
}

/**
 * Outcome of a connection with broken messages. `error`: answered with an error, and closed. `closed`: closed
 * without an answer. `served`: answered without an error, and closed. `hung`: still open. `refused`: the port
 * is closed.
 */
export type Outcome = 'error' | 'closed' | 'served' | 'hung' | 'refused';

export interface Tally {
  messages: number;
  connections: number;
  batches: number;
  readonly outcomes: Record<Outcome, number>;
  readonly kinds: Map<string, number>;
  /** The longest wait of a correct client, in ms. */
  slowestGood: number;
  /** Seeds of connections that hung, or were refused: `attack(flood, seed)` repeats one. */
  readonly badSeeds: number[];
}

const PARALLEL = 24;
const CONNECTIONS_OF_A_BATCH = 1_000;
const MOST_MESSAGES = 40;
const LIMIT_MS = 40_000;
const LONGEST_SPLIT = 80;

/** Faults that break the framing: the server cannot read later bytes as messages. */
const BREAKING = new Set(['length', 'giant', 'truncated', 'type', 'noise', 'flipped']);

export async function floodWith(flood: Flood): Promise<Tally> {
  const tally: Tally = {
    messages: 0,
    connections: 0,
    batches: 0,
    outcomes: { error: 0, closed: 0, served: 0, hung: 0, refused: 0 },
    kinds: new Map(),
    slowestGood: 0,
    badSeeds: [],
  };
  let seed = flood.seed;
  while (tally.messages < flood.count) {
    const last = seed + CONNECTIONS_OF_A_BATCH;
    const worker = async (): Promise<void> => {
      while (seed < last && tally.messages < flood.count) await attackAndCount(flood, seed++, tally);
    };
    await Promise.all(Array.from({ length: PARALLEL }, worker));
    const startedAt = performance.now();
    await flood.serveGood();
    tally.slowestGood = Math.max(tally.slowestGood, performance.now() - startedAt);
    tally.batches += 1;
  }
  return tally;
}

async function attackAndCount(flood: Flood, seed: number, tally: Tally): Promise<void> {
  const { sent, outcome } = await attack(flood, seed);
  tally.connections += 1;
  tally.messages += sent.length;
  tally.outcomes[outcome] += 1;
  for (const { stage, name } of sent) {
    const kind = `${stage}: ${name}`;
    tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1);
  }
  if (outcome === 'hung' || outcome === 'refused') tally.badSeeds.push(seed);
}

/** Opens one connection, and sends the broken messages of the seed. */
export async function attack(
  { limitMs = LIMIT_MS, stages = STAGES, ...options }: Flood,
  seed: number,
): Promise<{ sent: { stage: Stage; name: string }[]; outcome: Outcome }> {
  const draw = new Draw(seed);
  const stage = draw.pick(stages.filter((each) => each !== 'signed in' || options.signIn !== undefined));
  const mutations = drawMutations(draw, stage);
  const sent = mutations.map(({ name }) => ({ stage, name }));
  const line = await openLine(draw, stage, options).catch(() => undefined);
  if (line === undefined) return { sent, outcome: 'refused' };
  if (stage === 'sign-in')
    line.socket.write(startup({ user: '0192aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee', database: 'x' }));
  return { sent, outcome: await misbehave(line, mutations, limitMs) };
}

/**
 * Draws the faults of a connection. Before sign-in there is one, because it ends the connection. After
 * sign-in there are many faults that keep the framing intact, then one fault of any kind.
 */
function drawMutations(draw: Draw, stage: Stage): Mutation[] {
  if (stage !== 'signed in') return [drawMutation(draw, stage)];
  const mutations: Mutation[] = [];
  for (let left = draw.between(1, MOST_MESSAGES); left > 0; left--) {
    const mutation = drawMutation(draw, stage);
    if (!BREAKING.has(mutation.name)) mutations.push(mutation);
  }
  return [...mutations, drawMutation(draw, stage)];
}

async function misbehave(
  { socket, into }: Line,
  mutations: readonly Mutation[],
  limitMs: number,
): Promise<Outcome> {
  const types = new Set<string>();
  socket.on('data', (bytes: Buffer) => types.add(String.fromCharCode(bytes[0] ?? 0)));
  const closed = new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), limitMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve(true);
    });
  });
  for (const { bytes, isSplit } of mutations) {
    if (isSplit) await writeByteByByte(into, bytes);
    else into.write(bytes);
    if (mutations.length > 1) into.write(sync());
  }
  // Half-closes the connection, so that the server does not wait for the rest of a message.
  socket.end();
  const isClosed = await closed;
  socket.destroy();
  if (!isClosed) return 'hung';
  if (types.has('E')) return 'error';
  return types.size > 0 ? 'served' : 'closed';
}

async function writeByteByByte(socket: Line['into'], bytes: Buffer): Promise<void> {
  const single = Math.min(bytes.length, LONGEST_SPLIT);
  for (let at = 0; at < single; at++) {
    socket.write(bytes.subarray(at, at + 1));
    await new Promise((turn) => setImmediate(turn));
  }
  socket.write(bytes.subarray(single));
}
