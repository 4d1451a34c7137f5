import { drawCopy } from './copy-steps';
import { Draw } from './draw';
import { ExtendedSteps } from './extended-steps';
import { flush, query, sync, terminate } from './messages';
import { CUTS, type Pipeline, type Step, step } from './pipeline';
import { drawStory, inBlock } from './story';
import { drawSimple, TOPICS, type Topic } from './simple-steps';

const MOST_PARTS = 6;

export interface GenerateOptions {
  /** Left out of the pipelines. */
  readonly without?: readonly (Topic | 'copy' | 'end')[];
}

/** A valid pipeline, the same one for the same seed and options. */
export function generatePipeline(seed: number, { without = [] }: GenerateOptions = {}): Pipeline {
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
  const steps = draw.times(draw.between(1, MOST_PARTS), part).flat();
  const isLast = !without.includes('end') && draw.once(15);
  return { seed, steps: [...steps, ...(isLast ? drawEnd(draw) : CLEANUP)], cut: draw.pick(CUTS) };
}

/** The connection is as new for the next pipeline. Each of them also shows messages that came too late. */
const CLEANUP: readonly Step[] = ['ROLLBACK', 'DISCARD ALL'].map((sql) =>
  step(`Query ${sql}`, query(sql), { readies: 1, awaits: 'ready' }),
);

function drawEnd(draw: Draw): Step[] {
  const settled = step('Sync', sync(), { readies: 1, awaits: 'ready' });
  return draw.pick([
    // What was sent before is answered all the same.
    [step('Terminate', terminate(), { awaits: 'end' })],
    [settled, step('Terminate', terminate(), { awaits: 'end' })],
    [settled, step('half-close', Buffer.alloc(0), { awaits: 'half-close' })],
    [
      settled,
      step('Query to end itself', query('SELECT pg_terminate_backend(pg_backend_pid())'), { awaits: 'end' }),
    ],
  ]);
}

/** Whether the connection is over after it. */
export function endsConnection({ steps }: Pipeline): boolean {
  const last = steps.at(-1);
  return last?.awaits === 'end' || last?.awaits === 'half-close';
}
