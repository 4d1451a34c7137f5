import { checkCatalog } from './catalog-entry';
import data from './mcp-catalog.json';

const entry = (changes: object = {}) => ({
  name: 'example',
  description: 'An example.',
  url: 'https://mcp.example.com/mcp',
  transport: 'streamable-http',
  auth: 'oauth',
  auth_modes: ['oauth'],
  header: '',
  notes: '',
  ...changes,
});

describe('the built-in catalog', () => {
  // promises: CATALOG-1
  it('is sound: every entry, each with exactly the fields of the specification', () => {
    const entries = checkCatalog(data);
    expect(entries.length).toBe(data.length);
    for (const it of entries) {
      expect(Object.keys(it).sort()).toEqual(Object.keys(entry()).sort());
    }
  });

  it('speaks to its users, not of how the catalog was compiled', () => {
    const OF_ITS_MAKING =
      /\b(third[- ]part(y|ies)|listings?|(one|some|several|older|these) lists?|material|sources?|inferred|implied|was seen|read (here|only in)|reported to)\b/i;
    const told = checkCatalog(data).filter(({ notes }) => OF_ITS_MAKING.test(notes));
    expect(told.map(({ name, notes }) => `${name}: ${notes}`)).toEqual([]);
    expect('Read only in third-party material.').toMatch(OF_ITS_MAKING);
  });

  it('is sorted by name, whatever the order of its file', () => {
    const names = checkCatalog([entry({ name: 'b' }), entry({ name: 'a' })]).map((it) => it.name);
    expect(names).toEqual(['a', 'b']);
  });

  // promises: CATALOG-2, CATALOG-3, CATALOG-4, CATALOG-5
  it.each<[string, object[], RegExp]>([
    ['a repeated name', [entry(), entry()], /repeats example/],
    ['an address without TLS', [entry({ url: 'http://mcp.example.com' })], /url/],
    ['an unknown transport', [entry({ transport: 'stdio' })], /transport/],
    [
      'a default mode that does not come first',
      [entry({ auth_modes: ['none', 'oauth'] })],
      /begin with auth/,
    ],
    ['a default mode that is not accepted', [entry({ auth: 'none' })], /begin with auth/],
    ['a repeated mode', [entry({ auth_modes: ['oauth', 'oauth'] })], /must not repeat/],
    ['no mode', [entry({ auth_modes: [] })], /auth_modes/],
    ['static without a header', [entry({ auth: 'static', auth_modes: ['static'] })], /header/],
    ['a header without static', [entry({ header: 'Authorization: Bearer <token>' })], /header/],
    ['a further field', [entry({ confidence: 'high' })], /confidence/],
    ['a missing field', [entry({ notes: undefined })], /notes/],
  ])('does not start with %s', (_, entries, fault) => {
    expect(() => checkCatalog(entries)).toThrow(fault);
  });
});
