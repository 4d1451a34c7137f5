import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceFiles } from '../support/table-owners';
import { moduleOf } from '../support/module-of';
import { ROOT } from '../support/root';

const root = join(ROOT, 'src');
const texts = sourceFiles(root).map((file) => ({
  module: moduleOf(file),
  text: readFileSync(join(root, file), 'utf8'),
}));

const DECLARED = /export const (\w+) = new DomainEvent<[\s\S]*?>\(\s*'([^']+)',\s*\[([^\]]*)\]/g;
const HANDLED = /events\.handle\(\s*(\w+),\s*'([\w-]+)'/g;

const events = texts.flatMap(({ module, text }) =>
  [...text.matchAll(DECLARED)].map(([, constant = '', name = '', handlers = '']) => ({
    constant,
    name,
    module,
    handlers: [...handlers.matchAll(/'([\w-]+)'/g)].map(([, handler = '']) => handler),
  })),
);

describe('domain events', () => {
  it('are handled once by each module that they state, and by no other', () => {
    const handled = texts.flatMap(({ module, text }) =>
      [...text.matchAll(HANDLED)].map(([, constant, handler]) => [constant, handler, module].join(' ')),
    );
    const stated = events.flatMap(({ constant, handlers }) =>
      handlers.map((handler) => [constant, handler, handler].join(' ')),
    );
    expect(stated.length).toBeGreaterThan(10);
    expect(handled.sort()).toEqual(stated.sort());
  });

  it('are in the table of src/platform/database/README.md, with their handlers in order', () => {
    const readme = readFileSync(join(root, 'platform/database/README.md'), 'utf8');
    const section = readme.split(/^## /m).find((text) => text.startsWith('Domain events')) ?? '';
    const rows = [...section.matchAll(/^\| (`.*) \| ([\w-]+).*? \| (.*) \|$/gm)].flatMap(
      ([, names = '', module, handlers = '']) =>
        [...names.matchAll(/`([^`]+)`/g)].map(([, name]) =>
          [name, module, handlers.replaceAll(/ \(.*?\)/g, '')].join(': '),
        ),
    );
    const declared = events.map(({ name, module, handlers }) =>
      [name, module, handlers.join(', ')].join(': '),
    );
    expect(rows.sort()).toEqual(declared.sort());
  });
});
