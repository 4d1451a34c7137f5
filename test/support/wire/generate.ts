import { COPY_STATEMENT, drawCopy } from './copy-steps';
import { Draw } from './draw';
import { ExtendedSteps, STATEMENTS } from './extended-steps';
import { closing, withoutDoubt } from './encoding-doubt';
import { flush, query, sync, terminate } from './messages';
import { CUTS, type Pipeline, type Step, step } from './pipeline';
import { drawStory, inBlock } from './story';
import { drawSimple, TOPICS, type Topic } from './simple-steps';

const MOST_PARTS = 6;

export interface GenerateOptions {
  /** Topics of statements, and kinds of steps, that the pipelines must not contain. */
  readonly without?: readonly (Topic | 'copy' | 'end')[];
  /** Whether to insert a Sync wherever the gateway would otherwise accept only ASCII. */
  readonly withoutDoubt?: boolean;
}

/** A valid pipeline, the same one for the same seed and options. */
export function generatePipeline(seed: number, { without = [], ...options }: GenerateOptions = {}): Pipeline {
  const draw = new Draw(seed);
  const topics = TOPICS.filter((topic) => !without.includes(topic));
  const extended = new ExtendedSteps(draw, topics);
  const part = (): Step[] => {
    const kind = draw.weighted([
      ['simple', 4],
      ['extended', 6],
      ['copy', without.includes('copy') ? 0 : 2],
      ['block', 2],
      ['story', 2],
      ['idle', 1],
    ]);
    switch (kind) {
      case 'simple':
        return [drawSimple(draw, topics)];
      case 'extended':
        return extended.segment();
      case 'copy':
        return drawCopy(draw);
      case 'block':
        return inBlock(draw, topics, draw.times(draw.between(1, 3), () => extended.segment()).flat());
      case 'story':
        return drawStory(draw, topics, extended);
      case 'idle':
        return [step('Flush', flush()), step('Sync', sync(), { readies: 1 })];
    }
  };
  const drawn = draw.times(draw.between(1, MOST_PARTS), part).flat();
  const steps = options.withoutDoubt === true ? withoutDoubt(drawn) : drawn;
  const cleanup =
    options.withoutDoubt === true ? [...CLEANUP, closing([...STATEMENTS, COPY_STATEMENT])] : CLEANUP;
  const isLast = !without.includes('end') && draw.once(15);
  return { seed, steps: [...steps, ...(isLast ? drawEnd(draw) : cleanup)], cut: draw.pick(CUTS) };
}

/** Steps that reset the connection for the next pipeline, and detect late answers to this pipeline. */
const CLEANUP: readonly Step[] = ['ROLLBACK', 'DISCARD ALL'].map((sql) =>
  step(`Query ${sql}`, query(sql), { readies: 1, awaits: 'ready' }),
);

function drawEnd(draw: Draw): Step[] {
  const settled = step('Sync', sync(), { readies: 1, awaits: 'ready' });
  return draw.pick([
    // Without a Sync before Terminate, the server still answers the earlier messages.
    [step('Terminate', terminate(), { awaits: 'end' })],
    [settled, step('Terminate', terminate(), { awaits: 'end' })],
    [settled, step('half-close', Buffer.alloc(0), { awaits: 'half-close' })],
    [
      settled,
      // Ends a failed transaction block, which would refuse the next query.
      step('Query ROLLBACK', query('ROLLBACK'), { readies: 1, awaits: 'ready' }),
      step('Query to end itself', query('SELECT pg_terminate_backend(pg_backend_pid())'), { awaits: 'end' }),
    ],
  ]);
}

/** Whether the pipeline ends the connection. */
export function endsConnection({ steps }: Pipeline): boolean {
  const last = steps.at(-1);
  return last?.awaits === 'end' || last?.awaits === 'half-close';
}
