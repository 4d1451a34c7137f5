import type { ChangeFeed, ChangeListener } from '../../platform/database/feed/change-feed';
import type { GuardrailSet } from '../../gate/ports/guardrails';
import type { Target } from '../../gate/ports/target-directory';
import { RememberedSets } from './remembered-sets';

const target = (more: Partial<Target> = {}) =>
  ({ id: '1', subtype: 'postgres', attributes: ['a'], ...more }) as Target;

/** Returns rule sets with version numbers, and a change feed that the test controls. */
function remembering() {
  let tell: ChangeListener | undefined;
  const feed = { live: true, subscribe: (listener: ChangeListener) => (tell = listener) };
  const sets = new RememberedSets(feed as unknown as ChangeFeed);
  let reads = 0;
  const read = async () => ({ version: ++reads }) as unknown as GuardrailSet;
  return {
    feed,
    sets,
    read,
    changed: (table: string) => tell!.changed(table, ''),
    reset: () => tell!.reset(),
  };
}

describe('which set holds on a target', () => {
  it('is read once, and told at once from then on', async () => {
    const { sets, read } = remembering();
    const first = sets.of(target(), read);
    expect(first).toBeInstanceOf(Promise);
    expect(await first).toEqual({ version: 1 });
    expect(sets.of(target(), read)).toEqual({ version: 1 });
  });

  it('is another one for another target, kind or attributes', async () => {
    const { sets, read } = remembering();
    const asked = [{}, { id: '2' }, { subtype: 'mysql' }, { attributes: ['b'] }, { attributes: ['a', 'b'] }];
    for (const more of asked) await sets.of(target(more), read);
    expect(asked.map((more) => sets.of(target(more), read))).toEqual(
      [1, 2, 3, 4, 5].map((version) => ({ version })),
    );
  });

  it.each(['guardrail_rules', 'guardrail_connections', 'connections'])(
    'is read again when %s change',
    async (table) => {
      const { sets, read, changed } = remembering();
      await sets.of(target(), read);
      changed(table);
      expect(await sets.of(target(), read)).toEqual({ version: 2 });
    },
  );

  it('outlives changes of anything else', async () => {
    const { sets, read, changed } = remembering();
    await sets.of(target(), read);
    changed('users');
    expect(sets.of(target(), read)).toEqual({ version: 1 });
  });

  it('is read again after a change of its own gateway, and after anything may have been missed', async () => {
    const { sets, read, reset } = remembering();
    await sets.of(target(), read);
    sets.forget();
    expect(await sets.of(target(), read)).toEqual({ version: 2 });
    reset();
    expect(await sets.of(target(), read)).toEqual({ version: 3 });
  });

  it('is not remembered when a change comes while it is read', async () => {
    const { sets, read, changed } = remembering();
    const reading = sets.of(target(), read);
    changed('guardrail_rules');
    expect(await reading).toEqual({ version: 1 });
    expect(await sets.of(target(), read)).toEqual({ version: 2 });
  });

  it('is neither told nor remembered while the feed is down', async () => {
    const { feed, sets, read } = remembering();
    await sets.of(target(), read);
    feed.live = false;
    expect(await sets.of(target(), read)).toEqual({ version: 2 });
    feed.live = true;
    expect(sets.of(target(), read)).toEqual({ version: 1 });
    feed.live = false;
    const reading = sets.of(target({ id: '2' }), read);
    await reading;
    feed.live = true;
    expect(sets.of(target({ id: '2' }), read)).toBeInstanceOf(Promise);
  });

  it('is asked for again after a read that failed', async () => {
    const { sets, read } = remembering();
    await expect(sets.of(target(), () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    expect(await sets.of(target(), read)).toEqual({ version: 1 });
  });
});
