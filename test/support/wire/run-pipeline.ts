import { SeededRandom } from '../../guardrails/corpus/random';
import type { WireMessage } from './messages';
import type { Cut, Pipeline, Step } from './pipeline';
import { Progress } from './progress';
import type { Waited, WireClient } from './wire-client';

/** Time limit for an event of a pipeline, longer than a busy machine needs. */
export const PATIENCE_MS = 80_000;

/** Maximum bytes of one write with the cut `crumbs`. It is small, so that many cuts split message headers. */
const MOST_OF_A_CRUMB = 12;

export interface Answer {
  readonly messages: readonly WireMessage[];
  readonly outcome: Waited;
  /** Number of bytes of an incomplete message at the end. */
  readonly torn: number;
}

/**
 * Sends a pipeline. Returns all messages of the answer, up to the last ReadyForQuery or the end of the
 * connection.
 */
export async function runPipeline(
  client: WireClient,
  pipeline: Pipeline,
  patienceMs = PATIENCE_MS,
): Promise<Answer> {
  client.messages = [];
  const progress = new Progress(() => client.messages);
  const random = new SeededRandom(pipeline.seed);
  let readies = 0;
  let answers = 0;
  let pending: Buffer[] = [];
  let outcome: Waited = 'done';
  const awaitStep = async (awaits: Step['awaits']): Promise<void> => {
    await writeCut(client, Buffer.concat(pending), pipeline.cut, random);
    pending = [];
    if (awaits === 'half-close') client.socket.end();
    const endsHere = awaits === 'end' || awaits === 'half-close';
    const isSo = (): boolean => hasCome(progress.look(), awaits, readies, answers);
    outcome = await client.until(endsHere ? () => client.ended : isSo, patienceMs);
  };
  for (const step of pipeline.steps) {
    if (step.onlyInCopy) {
      if (!progress.look().inCopy) continue;
      progress.inCopy = false;
    }
    pending.push(step.bytes);
    readies += step.readies;
    answers = step.readies > 0 ? 0 : answers + step.answers;
    if (step.awaits !== 'nothing') await awaitStep(step.awaits);
    if (outcome !== 'done') break;
  }
  if (outcome === 'done') await awaitStep(client.ended ? 'end' : 'ready');
  return { messages: client.messages, outcome, torn: client.torn };
}

function hasCome(progress: Progress, awaits: Step['awaits'], readies: number, answers: number): boolean {
  switch (awaits) {
    case 'ready':
      return progress.readies >= readies;
    case 'flush':
      return progress.readies >= readies && (progress.failed || progress.answers >= answers);
    case 'copy-simple':
      return progress.readies >= readies || (progress.readies === readies - 1 && progress.inCopy);
    case 'copy-extended':
      return progress.readies >= readies && (progress.failed || progress.inCopy);
    case 'nothing':
    case 'end':
    case 'half-close':
      return true;
  }
}

/** Writes pieces in different turns of the event loop. In one turn, they might become one TCP packet. */
async function writeCut(client: WireClient, bytes: Buffer, cut: Cut, random: SeededRandom): Promise<void> {
  // Only short data is written byte by byte, because a megabyte would take minutes.
  const tiny = cut === 'tiny' && bytes.length < 2_000;
  const crumbs = cut === 'crumbs' && bytes.length < 20_000;
  const most = tiny ? 1 : crumbs ? MOST_OF_A_CRUMB : Math.max(2, bytes.length);
  for (let at = 0; at < bytes.length;) {
    const size = cut === 'whole' ? bytes.length : 1 + random.below(most);
    client.write(bytes.subarray(at, at + size));
    at += size;
    if (cut !== 'whole') await new Promise((turn) => setImmediate(turn));
  }
}
