import type { Draw } from './draw';
import type { ExtendedSteps } from './extended-steps';
import { query } from './messages';
import { type Step, step } from './pipeline';
import type { Topic } from './simple-steps';
import { CURSORS, LARGE_OBJECTS, NOTIFICATIONS, SETTINGS, SQL_PREPARED } from './statements';

const STORIES: Partial<Record<Topic, readonly string[]>> = {
  cursor: CURSORS,
  notification: NOTIFICATIONS,
  setting: SETTINGS,
  'large object': LARGE_OBJECTS,
  'sql prepared': SQL_PREPARED,
};

/**
 * Draws a sequence of statements of one topic, in order, because they depend on each other. Leaves out some.
 * Mostly puts the sequence into a transaction block.
 */
export function drawStory(draw: Draw, topics: readonly Topic[], extended: ExtendedSteps): Step[] {
  const stories = topics.map((topic) => STORIES[topic]).filter((story) => story !== undefined);
  if (stories.length === 0) return [];
  const chosen = draw.pick(stories).filter(() => !draw.once(3));
  return inBlock(
    draw,
    topics,
    chosen.flatMap((sql) => (draw.once(3) ? extended.plain(sql) : [asQuery(sql)])),
  );
}

/** Mostly puts the steps between BEGIN and COMMIT or ROLLBACK; never if `topics` lacks `transaction`. */
export function inBlock(draw: Draw, topics: readonly Topic[], steps: readonly Step[]): Step[] {
  if (!topics.includes('transaction') || draw.once(4)) return [...steps];
  return [asQuery('BEGIN'), ...steps, asQuery(draw.pick(['COMMIT', 'COMMIT', 'ROLLBACK']))];
}

const asQuery = (sql: string): Step => step(`Query ${sql}`, query(sql), { readies: 1 });
