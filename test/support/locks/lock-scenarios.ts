import { randomUUID } from 'node:crypto';
import { ExpiredRows } from '../../../src/mcp/authorization-server/stored/expired-rows';
import { EVENT_TYPES } from '../../../src/platform/events/event';
import type { Session } from '../../../src/gate/session';
import { AbandonedSessions } from '../../../src/sessions/list/abandoned-sessions';
import { ExpiredTokens } from '../../../src/mcp/upstream-credentials/stored/expired-tokens';
import { TokenRows } from '../../../src/mcp/upstream-credentials/stored/token-rows';
import { approve, approvedConnection } from '../approved-access';
import { enter, find, issue } from '../credentials';
import { eventually } from '../eventually';
import { type Person, startGateway } from '../gateway';
import { createRule, denyWords } from '../guardrails';
import { makeMcpConnection, refresh, registerClient, tokensFor } from '../mcp-sign-in';
import { subscribe } from '../webhook-receiver';
import type { World } from '../operation-world';
import { daysAgo, purge, storeRecordings } from '../retention';

/**
 * Scenarios beyond single requests: periodic work of the gateway, and requests
 * on resources with many dependents.
 */
export interface Scenario {
  readonly name: string;
  readonly play: (world: World) => Promise<void>;
}

export const scenarios: readonly Scenario[] = [
  { name: 'a connection goes, with all that hangs on it', play: connectionGoes },
  { name: 'scripts of several people at once are recorded', play: manyScripts },
  { name: 'sessions of one credential end with it', play: credentialEnds },
  { name: 'access that its owner lost and has again is revoked', play: withheldIsRevoked },
  { name: 'requests expire', play: requestsExpire },
  { name: 'reviews follow their sessions', play: reviewsFollow },
  { name: 'a gateway died', play: gatewayDied },
  { name: 'an owner is set inactive, a group is lost', play: ownerIsWithheld },
  { name: 'recordings are removed', play: recordingsGo },
  { name: 'the groups of somebody change', play: groupsChange },
  { name: 'rules are bound from both sides', play: rulesAreBound },
  { name: 'an attribute goes that much bears', play: attributeGoes },
  { name: 'somebody becomes the first admin', play: firstAdmin },
  { name: 'an MCP client is allowed, renews and misuses its tokens', play: mcpClient },
  { name: 'tokens of the gateway at an MCP server are kept, and go', play: upstreamTokens },
];

/** A webhook for all events, so that events and their deliveries are locked too. */
export async function subscribeToAll({ gateway }: World): Promise<void> {
  await subscribe(gateway, 'https://192.0.2.1/all', [...EVENT_TYPES]);
}

/** Opens a live session of a client. The session ends when it is requested to end. */
async function live({ gateway }: World, id: string): Promise<Session> {
  const credential = await find(gateway, id);
  if (credential === undefined) throw new Error(`there is no credential ${id}`);
  const session = await enter(gateway, credential);
  session.ended.addEventListener('abort', () => void session.end(254));
  return session;
}

async function untilOver({ gateway }: World, sessions: readonly Session[]): Promise<void> {
  const ids = sessions.map(({ id }) => id);
  await eventually('the sessions end', async () => {
    const rows = await gateway.database.query<{ open: number }>(
      `SELECT count(*)::int AS open FROM sessions WHERE id = ANY ($1::uuid[]) AND status <> 'done'`,
      [ids],
    );
    return rows[0]?.open === 0;
  });
}

const askers: readonly Person[] = ['alice', 'bob', 'admin'];

async function connectionGoes(world: World): Promise<void> {
  const { gateway, path } = world;
  const name = await approvedConnection(path, { min_approvals: 1, reviewers_groups: ['dba', 'admin'] });
  const { body: connection } = await gateway.call('admin', 'GET', `/connections/${name}`);
  await createRule(gateway, {
    name: world.fresh(),
    input: denyWords(['x']),
    connection_ids: [connection.id],
  });
  await createRule(gateway, {
    name: world.fresh(),
    input: denyWords(['y']),
    connection_ids: [connection.id],
  });
  // Stores credentials as if they were issued before approvals were required, so they need no review.
  await gateway.database.query(
    `INSERT INTO connection_credentials (org_id, connection_id, identity_type, user_id, owner_groups, iterations, salt,
       stored_key, server_key, expire_at)
     SELECT org_id, $1, 'user', id, '{}', 4096, decode(repeat('00', 16), 'hex'), decode(repeat('00', 32), 'hex'),
       decode(repeat('00', 32), 'hex'), now() + interval '1 hour' FROM users LIMIT 2`,
    [connection.id],
  );
  const asked = [];
  for (const person of askers) asked.push((await issue(gateway, person, {}, name)).body.id as string);
  await gateway.call('bob', 'PUT', `/reviews/${asked[0]}`, { status: 'APPROVED' });
  await gateway.call('admin', 'PUT', `/reviews/${asked[1]}`, { status: 'APPROVED' });
  await issue(gateway, 'alice', {}, name);
  await issue(gateway, 'bob', {}, name);
  await issue(gateway, 'bob', {}, name);
  const sessions = [];
  for (const id of [asked[0], asked[0], asked[1], asked[1]]) sessions.push(await live(world, id ?? ''));
  const { status } = await gateway.call('admin', 'DELETE', `/connections/${name}`);
  if (status !== 204) throw new Error(`the connection stayed: ${status}`);
  await untilOver(world, sessions);
}

async function manyScripts({ path }: World): Promise<void> {
  await Promise.all(Array.from({ length: 12 }, (_, i) => path.run(`SELECT ${i}`, {}, askers[i % 3])));
}

async function credentialEnds(world: World): Promise<void> {
  const { body } = await issue(world.gateway, 'alice');
  const sessions = [];
  for (let i = 0; i < 4; i++) sessions.push(await live(world, body.id as string));
  await world.gateway.call('alice', 'POST', `/connections/orders/credentials/${body.id}/revoke`);
  await untilOver(world, sessions);
}

/** Revokes a credential while the event about its owner's lost access is not delivered yet. */
async function withheldIsRevoked(world: World): Promise<void> {
  const { gateway } = world;
  const id = (await issue(gateway, 'bob')).body.id as string;
  await gateway.call('admin', 'PATCH', '/users/bob', { status: 'inactive' });
  await eventually('the loss is noted', async () => {
    const [row] = await gateway.database.query<{ noted: boolean }>(
      'SELECT withheld_at IS NOT NULL AS noted FROM connection_credentials WHERE id = $1',
      [id],
    );
    return row?.noted === true;
  });
  await gateway.call('admin', 'PATCH', '/users/bob', { status: 'active' });
  const session = await live(world, id);
  await gateway.call('bob', 'POST', `/connections/orders/credentials/${id}/revoke`);
  await untilOver(world, [session]);
}

async function requestsExpire(world: World): Promise<void> {
  const { gateway, path } = world;
  const name = await approvedConnection(path);
  const ids: string[] = [];
  for (const person of askers) ids.push((await issue(gateway, person, {}, name)).body.id as string);
  await approve(gateway, ids[0] ?? '');
  await issue(gateway, 'alice', {}, name);
  const session = await live(world, ids[0] ?? '');
  await gateway.database.query(`UPDATE reviews SET expires_at = now() WHERE id = ANY ($1::uuid[])`, [ids]);
  await eventually('they expire', async () => {
    const [row] = await gateway.database.query<{ count: number }>(
      `SELECT count(*)::int FROM reviews WHERE id = ANY ($1::uuid[]) AND status = 'EXPIRED'`,
      [ids],
    );
    return row?.count === 3;
  });
  await untilOver(world, [session]);
}

/**
 * Simulates sessions that ended without a report, because their gateway was killed. The reviews of these
 * sessions must end too.
 */
async function reviewsFollow({ gateway, path }: World): Promise<void> {
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    const { body } = await path.run(`SELECT ${i}`, { connection: 'reviewed' }, 'alice');
    ids.push(body.session_id as string);
  }
  await gateway.database.query(
    `UPDATE reviews SET created_at = created_at - interval '1 hour' WHERE session_id = ANY ($1::uuid[])`,
    [ids],
  );
  await gateway.database.query(
    `UPDATE sessions SET status = 'done', end_date = now() - interval '2 minutes' WHERE id = ANY ($1::uuid[])`,
    [ids],
  );
  await eventually('their reviews end', async () => {
    const [row] = await gateway.database.query<{ count: number }>(
      `SELECT count(*)::int FROM reviews WHERE session_id = ANY ($1::uuid[]) AND status = 'REVOKED'`,
      [ids],
    );
    return row?.count === 3;
  });
}

async function gatewayDied({ gateway, path }: World): Promise<void> {
  const { body } = await path.run('SELECT 1', { connection: 'reviewed' }, 'alice');
  await gateway.database.query(`UPDATE sessions SET gateway_id = gen_random_uuid() WHERE id = $1`, [
    body.session_id,
  ]);
  const sessions = gateway.app.get(AbandonedSessions);
  await eventually('its session ends', async () => {
    const [row] = await gateway.database.query<{ status: string; org_id: string }>(
      `SELECT status, org_id FROM sessions WHERE id = $1`,
      [body.session_id],
    );
    if (row?.status === 'done') return true;
    // Ends abandoned sessions directly, because the reaper needs three periodic runs, seconds apart.
    await sessions.endOrphans(row?.org_id ?? '');
    return false;
  });
}

async function ownerIsWithheld(world: World): Promise<void> {
  const { gateway } = world;
  const ids: string[] = [];
  for (let i = 0; i < 2; i++) ids.push((await issue(gateway, 'bob')).body.id as string);
  const sessions = [];
  for (const id of ids) sessions.push(await live(world, id));
  await gateway.call('admin', 'PATCH', '/users/bob', { status: 'inactive' });
  await untilOver(world, sessions);
  await gateway.call('admin', 'PATCH', '/users/bob', { status: 'active' });
}

async function recordingsGo({ gateway, path }: World): Promise<void> {
  const connectionId = await path.connect('kept-briefly', { retention_days: 1 });
  const old = new Date('2024-02-10T12:00:00Z');
  await gateway.database.query('SELECT ensure_recording_month($1)', [old]);
  await storeRecordings(gateway.database, { connectionId, start: old, count: 3 });
  await storeRecordings(gateway.database, { connectionId, start: daysAgo(3), count: 3 });
  await purge(gateway);
}

/** An admin changes the groups of people, then deletes a group that has several members. */
async function groupsChange({ gateway }: World): Promise<void> {
  for (const groups of [['b', 'a', 'going'], ['c', 'b'], ['going']]) {
    await gateway.call('admin', 'PATCH', '/users/alice', { groups });
    await gateway.call('alice', 'GET', '/userinfo');
  }
  for (const person of ['bob', 'auditor']) {
    await gateway.call('admin', 'PATCH', `/users/${person}`, { groups: ['going'] });
  }
  await gateway.call('admin', 'POST', '/groups', { name: 'going' });
  await gateway.call('admin', 'DELETE', '/groups/going');
}

async function rulesAreBound(world: World): Promise<void> {
  const { gateway, path } = world;
  const fresh = (): string => world.fresh();
  const names = [fresh(), fresh()];
  const connections: string[] = [];
  for (const name of names) connections.push(await path.connect(name));
  const body = () => ({ name: fresh(), input: denyWords(['x']), connection_ids: connections });
  const rules: string[] = [];
  for (let i = 0; i < 2; i++) rules.push(await createRule(gateway, body()));
  for (const rule of rules) await gateway.call('admin', 'PUT', `/guardrails/${rule}`, body());
  for (const guardrail_rules of [rules, rules.toReversed(), [], rules]) {
    await gateway.call('admin', 'PATCH', `/connections/${names[0]}`, { guardrail_rules });
  }
  await gateway.call('admin', 'DELETE', `/guardrails/${rules[0]}`);
  await gateway.call('admin', 'DELETE', `/connections/${names[0]}`);
}

async function attributeGoes(world: World): Promise<void> {
  const { gateway, path } = world;
  const fresh = (): string => world.fresh();
  const attribute = fresh();
  const attributes = [attribute, fresh()];
  for (let i = 0; i < 3; i++) {
    await path.connect(fresh(), { attributes });
    await createRule(gateway, { name: fresh(), input: denyWords(['x']), attributes });
    await gateway.call('admin', 'POST', '/access-requests/rules', {
      name: fresh(),
      access_type: 'command',
      reviewers_groups: ['dba'],
      min_approvals: 1,
      attributes: [attribute],
      connection_names: [fresh()],
    });
  }
  await gateway.call('admin', 'DELETE', `/attributes/${attribute}`);
}

/** bob is listed in `ADMIN_EMAILS`, but there is an admin already. */
async function firstAdmin({ gateway }: World): Promise<void> {
  const listed = await startGateway({ beside: gateway, environment: { ADMIN_EMAILS: 'bob@example.com' } });
  await listed.call('bob', 'GET', '/userinfo');
  await listed.close();
}

async function mcpClient(world: World): Promise<void> {
  const { gateway } = world;
  const name = world.fresh();
  await makeMcpConnection(gateway, name);
  const client = await registerClient(gateway);
  const [used, other] = [await tokensFor(gateway, client, name), await tokensFor(gateway, client, name)];
  for (let n = 0; n < 2; n++) await refresh(gateway, client, used.refresh);
  await refresh(gateway, client, other.refresh);
  await gateway.database.query(`UPDATE authorization_tokens SET expires_at = now() - interval '1 s'`);
  await gateway.app.get(ExpiredRows).remove();
  await gateway.call('admin', 'DELETE', `/connections/${name}`);
}

async function upstreamTokens(world: World): Promise<void> {
  const { gateway } = world;
  const name = world.fresh();
  await makeMcpConnection(gateway, name);
  const { id, org_id: orgId } = (await gateway.call('admin', 'GET', `/connections/${name}`)).body;
  const rows = gateway.app.get(TokenRows, { strict: false });
  const token = { accessToken: 'a', obtainedAt: Date.now(), renewAt: Date.now() };
  const keep = async (): Promise<void> => {
    for (const subjectId of [null, randomUUID(), randomUUID()]) {
      const owner = { orgId, connectionId: id, subjectId };
      const taken = await rows.take(owner, 'binding');
      if (taken === undefined) throw new Error('nobody else has the lease');
      if (subjectId === null) await rows.needReauth(owner, taken.lease);
      else await rows.keep(owner, taken.lease, 'binding', token);
    }
  };
  await keep();
  await gateway.database.query(`UPDATE upstream_tokens SET keep_until = now() - interval '2 days'`);
  await gateway.app.get(ExpiredTokens, { strict: false }).remove();
  await keep();
  await gateway.call('admin', 'PATCH', `/connections/${name}`, {
    secret: { REMOTE_URL: 'https://mcp.example.com/other' },
  });
  await keep();
  await gateway.call('admin', 'DELETE', `/connections/${name}`);
}
