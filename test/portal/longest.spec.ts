import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { LONGEST } from '../../portal/src/parts/longest';
import { ROOT } from '../support/root';
import { nodesIn, portalSources } from '../support/portal/sources';

interface Limited {
  readonly maxLength?: number;
}
interface Described {
  readonly paths: Record<
    string,
    Record<string, { parameters?: readonly { name: string; schema: Limited }[] }>
  >;
  readonly components: { schemas: Record<string, { properties: Record<string, Limited> }> };
}

const { paths, components } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as Described;
const field = (schema: string, name: string): number | undefined =>
  components.schemas[schema]?.properties[name]?.maxLength;
const parameter = (path: string, name: string): number | undefined =>
  paths[path]?.['get']?.parameters?.find((one) => one.name === name)?.schema.maxLength;

/**
 * Maximum length that the API description states for each field. `note` is a metadata value, whose limit is
 * only in the text of a description (`METADATA_RULE`).
 */
const SAID: Readonly<Record<string, number | undefined>> = {
  rejectionReason: field('ReviewBody', 'rejection_reason'),
  forceReason: field('ReviewBody', 'force_reason'),
  note: 2_500,
  webhookDescription: field('WebhookCreationBody', 'description'),
  webhookSecret: field('WebhookCreationBody', 'secret'),
  userSearch: parameter('/users', 'search'),
  owner: parameter('/mcp-authorizations', 'user'),
  sshPublicKey: field('SshPublicKeyBody', 'public_key'),
};

const nodes = portalSources().flatMap((source) => [...nodesIn(source)]);

describe('fields with a longest text', () => {
  it('keep what is pasted: none tells the browser to cut it', () => {
    const cutting = nodes
      .filter((node) => ts.isJsxAttribute(node) || ts.isPropertyAssignment(node))
      .filter(({ name }) => /^['"]?maxlength['"]?$/i.test(name.getText()))
      .map((node) => `${node.getSourceFile().fileName}: ${node.getText()}`);
    expect(cutting).toEqual([]);
  });

  it('say the limit of the API', () => {
    expect(LONGEST).toEqual(SAID);
  });
});
