import type { Draw } from './draw';
import { query } from './messages';
import { type Step, step } from './pipeline';
import {
  CURSORS,
  drawBig,
  FAULTY,
  LARGE_OBJECTS,
  NOTICES,
  NOTIFICATIONS,
  PLAIN,
  SETTINGS,
  SQL_PREPARED,
  TRANSACTION,
} from './statements';

/** Topics of the statements in a pipeline. A test can leave some out. */
export const TOPICS = [
  'plain',
  'faulty',
  'transaction',
  'cursor',
  'notification',
  'notice',
  'setting',
  'large object',
  'sql prepared',
  'big',
] as const;
export type Topic = (typeof TOPICS)[number];

const OFTEN: Readonly<Record<Topic, number>> = {
  plain: 10,
  faulty: 2,
  transaction: 6,
  cursor: 3,
  notification: 3,
  notice: 2,
  setting: 3,
  'large object': 3,
  'sql prepared': 1,
  big: 1,
};

export function drawPlain(draw: Draw, topics: readonly Topic[]): string {
  const topic = draw.weighted(topics.map((name) => [name, OFTEN[name]] as const));
  switch (topic) {
    case 'plain':
      return draw.pick(PLAIN);
    case 'faulty':
      return draw.pick(FAULTY);
    case 'transaction':
      return draw.pick(TRANSACTION);
    case 'cursor':
      return draw.pick(CURSORS);
    case 'notification':
      return draw.pick(NOTIFICATIONS);
    case 'notice':
      return draw.pick(NOTICES);
    case 'setting':
      return draw.pick(SETTINGS);
    case 'large object':
      return draw.pick(LARGE_OBJECTS);
    case 'sql prepared':
      return draw.pick(SQL_PREPARED);
    case 'big':
      return drawBig(draw);
  }
}

/** Draws one Query with one statement, several, or none. */
export function drawSimple(draw: Draw, topics: readonly Topic[]): Step {
  const sql = draw.once(12)
    ? draw.pick(['', ';', '  \n', '-- only a comment', ';;;', '/* */'])
    : draw.times(draw.once(3) ? draw.between(2, 4) : 1, () => drawPlain(draw, topics)).join('; ');
  return step(`Query ${sql}`, query(sql), { readies: 1, awaits: draw.once(3) ? 'ready' : 'nothing' });
}
