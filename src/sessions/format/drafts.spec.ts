import { Drafts } from './drafts';
import { letterOf } from './event-codec';

const EVENT_BYTES = 30_000;

function filled(drafts: Drafts, letter: string, first: number, count: number): Drafts {
  for (let number = first; number < first + count; number += 1) {
    const content = Buffer.alloc(EVENT_BYTES, letter);
    drafts.add({ number, time: number, letter: letterOf({ type: 'o' }), content, length: content.length }, 0);
  }
  return drafts;
}

/** Returns the letters with which the contents of all chunk drafts are filled. */
function lettersOf(drafts: Drafts): string {
  const found = drafts.takeDrafts(Infinity).map(({ bytes }) => bytes.toString('latin1'));
  return [...new Set(found.join('').match(/[A-Z]{20}/g))].map((run) => run.charAt(0)).join('');
}

describe('Drafts', () => {
  it('use memory of stored events again, and never that of others', () => {
    const stored = filled(new Drafts(), 'A', 1, 40);
    const pending = filled(new Drafts(), 'B', 1, 40);
    stored.takeDrafts(Infinity);
    stored.dropThrough(40);
    expect(stored.bytes).toBe(0);
    filled(stored, 'C', 41, 40);
    const third = filled(new Drafts(), 'D', 1, 40);
    expect([stored, pending, third].map(lettersOf)).toEqual(['C', 'B', 'D']);
  });

  it('keep what is not stored when a part of a draft is dropped', () => {
    const drafts = filled(new Drafts(), 'A', 1, 3);
    filled(drafts, 'B', 4, 3);
    drafts.takeDrafts(Infinity);
    drafts.dropThrough(3);
    const others = filled(new Drafts(), 'C', 1, 20);
    others.takeDrafts(Infinity);
    others.dropThrough(20);
    filled(new Drafts(), 'D', 1, 20);
    expect(lettersOf(drafts)).toBe('B');
    expect(drafts.bytes).toBe(3 * EVENT_BYTES);
  });
});
