import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { targetKinds } from '../../src/targets/kinds';
import { ROOT } from '../support/root';

interface Description {
  readonly components: {
    readonly schemas: Readonly<
      Record<string, { readonly properties?: Record<string, { description?: string }> }>
    >;
  };
}

const text = readFileSync(join(ROOT, 'openapi.json'), 'utf8');
const { schemas } = (JSON.parse(text) as Description).components;
const described = Object.entries(schemas).flatMap(([schema, { properties }]) => {
  const description = properties?.['secret']?.description ?? '';
  return description.startsWith('How to reach the target') ? [{ schema, description }] : [];
});

describe('the description of a secret', () => {
  it('is there for each body that creates or changes a connection', () => {
    expect(described.length).toBeGreaterThan(0);
  });

  it.each(described)('names each field of each kind, in $schema', ({ description }) => {
    const words = new Set(description.match(/[A-Z][A-Z_]*[A-Z]/g));
    for (const { subtype, secret } of targetKinds) {
      const missing = Object.keys(secret.fields).filter((name) => !words.has(name));
      expect([subtype, missing]).toEqual([subtype, []]);
    }
  });
});
