import type { ChangeFeed, ChangeListener } from '../../database/feed/change-feed';
import type { Principal } from '../../../kernel/principal';
import { LARGEST_ANSWER, type ReadyAnswer, ReadyAnswers } from './ready-answers';

const ADMIN = { orgId: 'o', role: 'admin' } as Principal;

function feeding(): { feed: ChangeFeed; tell: ChangeListener; answers: ReadyAnswers } {
  const listeners: ChangeListener[] = [];
  const feed = {
    live: true,
    subscribe: (one: ChangeListener) => void listeners.push(one),
  } as Partial<ChangeFeed> as ChangeFeed;
  const answers = new ReadyAnswers(feed);
  const [tell] = listeners;
  if (tell === undefined) throw new Error('the answers do not listen to the feed');
  return { feed, tell, answers };
}

function answer(answers: ReadyAnswers, given: Partial<ReadyAnswer> = {}): ReadyAnswer {
  const base = { orgId: 'o', policy: 'auditor', tables: ['rules'], headers: [] } as const;
  return { ...base, body: Buffer.from('{}'), madeAt: answers.now, ...given };
}

describe('ready answers', () => {
  it('are found until a row of their tables changes', () => {
    const { answers, tell } = feeding();
    answers.keep('a', answer(answers));
    tell.changed('others', '1');
    expect(answers.find('a', ADMIN)?.body.toString()).toBe('{}');
    tell.changed('rules', '1');
    expect(answers.find('a', ADMIN)).toBeUndefined();
  });

  it('are not kept when a change came while they were made', () => {
    const { answers, tell } = feeding();
    const made = answer(answers);
    tell.changed('rules', '1');
    answers.keep('a', made);
    expect(answers.has('a')).toBe(false);
  });

  it('are forgotten when changes may have been missed, and not given while they may be', () => {
    const { feed, answers, tell } = feeding();
    const before = answer(answers);
    answers.keep('a', before);
    feed.live = false;
    expect([answers.has('a'), answers.find('a', ADMIN)]).toEqual([false, undefined]);
    feed.live = true;
    tell.reset();
    answers.keep('a', before);
    expect(answers.find('a', ADMIN)).toBeUndefined();
  });

  it.each([
    ['of another organization', { orgId: 'other', role: 'admin' }],
    ['without the right', { orgId: 'o', role: 'regular' }],
  ])('are not for callers %s', (_, caller) => {
    const { answers } = feeding();
    answers.keep('a', answer(answers));
    expect(answers.find('a', caller as Principal)).toBeUndefined();
  });

  it('of 100 000 rules take 16 MiB at most, and the newest are there', () => {
    const { answers } = feeding();
    for (let n = 0; n < 100_000; n++)
      answers.keep(`/api/guardrails/${n}`, answer(answers, { body: Buffer.alloc(700) }));
    expect(answers.bytes).toBeLessThanOrEqual(16 * 1024 * 1024);
    expect(answers.bytes).toBeGreaterThan(15 * 1024 * 1024);
    expect([answers.has('/api/guardrails/0'), answers.has('/api/guardrails/99999')]).toEqual([false, true]);
  });

  it('are not kept when they are very large', () => {
    const { answers } = feeding();
    answers.keep('a', answer(answers, { body: Buffer.alloc(LARGEST_ANSWER + 1) }));
    expect(answers.bytes).toBe(0);
  });
});
