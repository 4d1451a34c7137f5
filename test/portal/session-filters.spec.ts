import { FILTERS } from '../../portal/src/sessions/session-filters';
import { operations } from '../support/operations';

/** Paging parameters, which are not filters. */
const PAGING = ['limit', 'offset', 'count'];

describe('the filters of the list of sessions', () => {
  it('are all that the API has, with all of their values', () => {
    const listed = operations.find(({ id }) => id === 'listSessions');
    const wanted = (listed?.parameters ?? [])
      .filter(({ name }) => !PAGING.includes(name))
      .map(({ name, schema }) => [name, schema.enum ?? []]);
    const offered = FILTERS.map(({ name, choices }) => [name, Object.keys(choices ?? {})]);
    expect(Object.fromEntries(offered)).toEqual(Object.fromEntries(wanted));
    expect(wanted.length).toBeGreaterThan(10);
  });
});
