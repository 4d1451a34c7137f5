import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../support/root';

/** Matches code that folds the case of an address. Only one function may decide who is the same person. */
const FOLDED_BY_HAND =
  /lower\([^)]*(?:e?mail|address)|(?:e?mail|address)\w*\??\.(?:trim\(\)\.)?to(?:Locale)?(?:Lower|Upper)Case|\bit\.toLowerCase/gi;

/** Files that may fold addresses, because they do not decide who is the same person. */
const HARMLESS: Readonly<Record<string, string>> = {
  'src/identity/auth/users/signed-in-users.ts':
    'gives the admin role to a listed address: what is only spelled alike must not get it',
  'src/identity/auth/users/users.service.ts': 'finds a person by what a caller typed, by an index',
};

// promises: REVIEW-5, REVIEW-21
describe('one person', () => {
  it('is recognized by one function', () => {
    const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
      .map((file) => join('src', file))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts') && !file.includes('migrations'));
    const found = files.filter(
      (file) => readFileSync(join(ROOT, file), 'utf8').search(FOLDED_BY_HAND) !== -1,
    );
    expect(found.filter((file) => /mail/i.test(readFileSync(join(ROOT, file), 'utf8')))).toEqual(
      Object.keys(HARMLESS),
    );
  });
});
