import { coversScope, demandedScope, joinedScope, readScope } from './bearer-challenge';

describe('a challenge of a server', () => {
  it.each<[string | undefined, string | undefined]>([
    ['Bearer error="insufficient_scope", scope="files:read files:write"', 'files:read files:write'],
    ['Bearer realm="x",error="insufficient_scope",scope="a"', 'a'],
    ['Bearer scope="a", error="insufficient_scope"', 'a'],
    ['Bearer error="invalid_token", scope="a"', undefined],
    ['Bearer error="insufficient_scope"', undefined],
    ['Bearer error="insufficient_scope", scope=""', undefined],
    ['Bearer error="insufficient_scope", xscope="a"', undefined],
    ['Bearer error="insufficient_scope", scope="a\tb"', undefined],
    [`Bearer error="insufficient_scope", scope="${'a'.repeat(1_001)}"`, undefined],
    [undefined, undefined],
  ])('%j demands %j', (challenge, scope) => {
    expect(demandedScope(challenge)).toBe(scope);
  });

  it('has each scope once', () => {
    expect(readScope(' a  b a')).toBe('a b');
    expect(joinedScope('a b', undefined, 'b c')).toBe('a b c');
    expect(joinedScope(undefined)).toBeUndefined();
    expect(joinedScope('a'.repeat(600), 'b'.repeat(600))).toBe(`${'a'.repeat(600)} ${'b'.repeat(600)}`);
  });

  it('is met by a token with each of its scopes', () => {
    expect([coversScope('a b', 'b'), coversScope('a', 'a b'), coversScope(undefined, 'a')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
