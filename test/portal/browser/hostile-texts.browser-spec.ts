import type { Browser } from 'playwright-core';
import { developmentUsers } from '../../../src/development/users';
import { as } from '../../support/callers';
import { describeInBrowser, startChromium } from '../../support/chromium';
import { type DataPath, startDataPath } from '../../support/data-path';
import { passwordToken } from '../../support/gateway';
import { denyWords } from '../../support/guardrails';
import { HostileFields, forEach, valuesOf } from '../../support/portal/hostile-fields';
import { LONGEST_NAME } from '../../support/portal/hostile-texts';
import { startProof } from '../../support/portal/hostile-proof';
import { connectReviewed } from '../../support/waiting-scripts';

const fields = new HostileFields();
const NAME = { isName: true } as const;
/** Number of tags of each connection. */
const TAGS = 10;
/**
 * Number of groups that each person has. It is small, because groups are in tokens, and headers are limited.
 */
const GROUPS = 5;
const perName = (texts: readonly string[]): string[] => valuesOf(texts, 250);

/** Hostile strings in the data of users at the identity provider. */
const PEOPLE = {
  names: perName(fields.add('un', 'names of users, by the identity provider', NAME)),
  emails: perName(fields.add('em', 'e-mail addresses, by the identity provider')),
  groups: perName(fields.add('gi', 'groups of users, by the identity provider', NAME)),
};
const users = PEOPLE.emails.map((email, at) => ({
  username: `stranger-${at}`,
  email,
  emailVerified: true,
  name: PEOPLE.names[at] ?? LONGEST_NAME.slice(0, 256),
  groups: PEOPLE.groups.slice(at * GROUPS, (at + 1) * GROUPS),
}));

/**
 * Stores all strings in each field that users can set by the API. Returns the addresses of the screens that
 * show the strings.
 */
async function furnish(path: DataPath): Promise<string[]> {
  const { gateway } = path;
  const screens: string[] = [];
  const send = async (method: string, at: string, body: object) => {
    const answer = await gateway.call('admin', method, at, body);
    if (answer.status >= 300) throw new Error(`${method} ${at}: ${answer.text}`);
    return answer.body as { id: string; session_id: string };
  };
  await forEach(users, async ({ username }) => {
    const token = await passwordToken(gateway.provider.issuer, username);
    const { status, text } = await as(gateway, token, 'GET', '/userinfo');
    if (status !== 200) throw new Error(`${username}: ${status} ${text}`);
  });
  await gateway.call('alice', 'GET', '/userinfo');
  await forEach(perName(fields.add('id', 'subjects of users', NAME)), (id, at) =>
    send('POST', '/users', { id, email: `subject-${at}@example.com` }),
  );
  screens.push('/users');
  const inGroups = users.filter(({ groups }) => groups.length > 0);
  screens.push(...inGroups.map(({ username }) => `/users/${username}`));

  const described = valuesOf(fields.add('gd', 'descriptions of groups'), 4_096);
  await forEach(perName(fields.add('gn', 'names of groups', NAME)), (name, at) =>
    send('POST', '/groups', { name, description: described[at] ?? '' }),
  );
  for (const name of ['__proto__', 'constructor', 'toString', '=1+1', LONGEST_NAME.slice(0, 256)])
    await send('POST', '/groups', { name });
  screens.push('/groups');

  await forEach(valuesOf(fields.add('cd', 'descriptions of connections'), 4_096), (description, at) =>
    path.connect(`described-${at}`, { description, access_groups: ['*'] }),
  );
  const tags = perName(fields.add('ct', 'tags of connections', NAME));
  for (let at = 0; at < tags.length; at += TAGS) {
    const connection_tags = Object.fromEntries(tags.slice(at, at + TAGS).map((tag, key) => [`t${key}`, tag]));
    await path.connect(`tagged-${at}`, { connection_tags });
    screens.push(`/admin-connections/tagged-${at}`);
  }
  await path.connect('grouped', {
    attributes: perName(fields.add('at', 'attributes', NAME)),
    access_groups: ['admin', ...perName(fields.add('cg', 'groups of connections', NAME))],
  });
  await forEach(
    valuesOf(fields.add('ab', 'former descriptions, in the audit log'), 4_096),
    async (description) => {
      await send('PATCH', '/connections/grouped', { description });
    },
  );
  screens.push(
    '/connections',
    '/connections/described-0',
    '/admin-connections',
    '/admin-connections/grouped',
  );

  const about = valuesOf(fields.add('rd', 'descriptions of guardrails'), 4_096);
  const rules = valuesOf(fields.add('rn', 'names of guardrails', NAME), 128);
  await forEach(rules, async (name, at) => {
    const input = denyWords([`word-${at}`]);
    const { id } = await send('POST', '/guardrails', { name, description: about[at] ?? '', input });
    if (at < about.length) screens.push(`/guardrails/${id}`);
  });
  screens.push('/guardrails', '/new/guardrail');

  await forEach(valuesOf(fields.add('ad', 'descriptions of access rules'), 4_096), (description, at) =>
    send('POST', '/access-requests/rules', {
      name: `rule-${at}`,
      description,
      access_type: 'jit',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      attributes: [`none-${at}`],
    }),
  );
  await send('POST', '/access-requests/rules', {
    name: 'asking',
    access_type: 'jit',
    reviewers_groups: ['dba', ...perName(fields.add('ag', 'groups of reviewers', NAME))],
    min_approvals: 1,
    connection_names: ['grouped'],
  });
  screens.push(
    '/access-rules',
    '/access-rules/asking',
    '/new/access-rule',
    '/connections/grouped',
    '/why?connection=grouped',
  );

  await forEach(valuesOf(fields.add('kn', 'names of API keys', NAME), 128), (name) =>
    send('POST', '/api-keys', { name }),
  );
  await send('POST', '/api-keys', {
    name: 'grouped',
    groups: perName(fields.add('kg', 'groups of API keys', NAME)),
  });
  await forEach(valuesOf(fields.add('st', 'names of SCIM tokens', NAME), 128), (name) =>
    send('POST', '/scim-tokens', { name }),
  );
  screens.push('/api-keys', '/scim-tokens');

  await forEach(valuesOf(fields.add('cr', 'reasons for credentials', NAME), 1_000), (reason) =>
    send('POST', '/connections/orders/credentials', { reason }),
  );
  screens.push('/connections/orders');

  const notes = valuesOf(fields.add('sn', 'notes about sessions'), 1_000);
  const reasons = valuesOf(fields.add('sr', 'reasons for scripts', NAME), 1_000);
  const sessions = Array.from({ length: Math.max(notes.length, reasons.length) });
  await forEach(sessions, async (_, at) => {
    const { session_id: id } = await send('POST', '/sessions', {
      connection: 'orders',
      script: 'SELECT 1',
      reason: reasons[at] ?? '',
    });
    await send('PATCH', `/sessions/${id}/metadata`, { metadata: { note: notes[at] ?? '' } });
    screens.push(`/sessions/${id}`);
  });

  await connectReviewed(path, 'reviewed');
  const rejected = valuesOf(fields.add('rj', 'reasons for rejections', NAME), 2_500);
  await forEach(valuesOf(fields.add('rr', 'reasons for requests', NAME), 1_000), async (reason, at) => {
    const run = { connection: 'reviewed', script: 'SELECT 1', reason };
    const { body } = await gateway.call('alice', 'POST', '/sessions', run);
    const why = rejected[at];
    if (why !== undefined)
      await gateway.call('bob', 'PUT', `/reviews/${body.review_id}`, {
        status: 'REJECTED',
        rejection_reason: why,
      });
    screens.push(`/reviews/${body.review_id as string}`);
  });
  screens.push('/requests', '/reviews', '/sign-offs', '/sessions');

  return screens;
}

describeInBrowser('texts of people', () => {
  let browser: Browser;
  let path: DataPath;
  let screens: readonly string[];

  beforeAll(async () => {
    [browser, path] = await Promise.all([
      startChromium(),
      startDataPath({}, { users: [...developmentUsers, ...users] }),
    ]);
    screens = await furnish(path);
  });
  afterAll(async () => {
    await browser.close();
    await path.close();
  });

  // promises: PORTAL-7
  it('are text on every screen that shows them', async () => {
    const proof = await startProof(browser, path.gateway, 'admin');
    const kinds = new Set<string>();
    for (const screen of screens) {
      const kind = screen.replace(/[\w-]*-\d+$|[0-9a-f-]{36}/, '');
      // Opens tabs, lists and dialogs only on the first screen of each kind, because all of them are alike.
      if (kinds.has(kind)) await proof.tour.pass(screen);
      else await proof.tour.visit(screen);
      kinds.add(kind);
    }
    for (const type of ['connections', 'groups', 'users'])
      await proof.tour.visit(`/audit?resource_type=${type}`);
    await proof.page.keyboard.press('ControlOrMeta+k');
    await proof.page.getByRole('dialog').getByRole('combobox').fill('onerror');
    await proof.page.getByRole('option').first().waitFor();
    await proof.tour.seen();
    await proof.close();
    proof.expectAll(fields);
    // The time limit is three times the duration on a quiet machine with two cores.
  }, 240_000);
});
