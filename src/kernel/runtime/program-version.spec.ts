import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROGRAM_VERSION } from './program-version';

it('the version of the program is that of package.json', () => {
  const text = readFileSync(join(__dirname, '../../../package.json'), 'utf8');
  expect(PROGRAM_VERSION).toBe((JSON.parse(text) as { version: string }).version);
});
