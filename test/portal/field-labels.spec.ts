import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { labelOf, labelsOf } from '../../portal/src/parts/field-labels';
import { ROOT } from '../support/root';

const { components } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
  components: { schemas: Record<string, { properties: Record<string, object> }> };
};

/** Fields of request bodies that are in no form of the portal, with the reasons. */
const FORMLESS: Readonly<Record<string, string>> = {
  type: 'follows from the subtype',
  catalog: 'is picked, and cannot be changed',
};

describe('labels of fields in differences', () => {
  it.each([
    ['guardrails', 'GuardrailBody'],
    ['access-requests/rules', 'AccessRuleBody'],
    ['connections', 'ConnectionBody'],
    ['users', 'UserChangeBody'],
    ['webhooks', 'WebhookCreationBody'],
  ])('are those of the form, for every field of %s', (type, body) => {
    const schema = components.schemas[body];
    const fields = Object.keys(schema?.properties ?? {}).filter((field) => !(field in FORMLESS));
    expect(fields.length).toBeGreaterThan(2);
    expect(fields.filter((field) => labelOf(field, labelsOf(type)) === field)).toEqual([]);
  });

  it('are names of the API where no form has the field', () => {
    expect(labelOf('last_used_at', labelsOf('api-keys'))).toBe('last_used_at');
    expect(labelOf('toString', labelsOf('guardrails'))).toBe('toString');
    expect(labelOf('name', labelsOf('of-nothing'))).toBe('name');
  });
});
