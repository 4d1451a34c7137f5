import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { ChangeFeed } from '../../src/platform/database/feed/change-feed';
import type { PublishedEvent } from '../../src/platform/events/event';
import { EventExports } from '../../src/integrations/event-export/event-exports';
import { Outbox } from '../../src/platform/events/outbox';
import { auditLineOf } from '../support/audit';
import { startDataPath } from '../support/data-path';
import { describeScoped } from '../support/describe';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';
import { secretOf } from '../support/target';
import { OtlpReceiver } from '../support/siem/otlp-receiver';
import { SyslogReceiver, firstOfEach } from '../support/siem/syslog-receiver';

const SESSION = ['session.started', 'session.blocked', 'session.ended'];
const LINE = 'audit.recorded';
/**
 * Time limit for a receiver to recover. The gateway retries after a pause of up
 * to a minute; pauses are shorter here, because a receiver fails a few times only.
 */
const RECOVERS_WITHIN_MS = 30_000;

/** One gateway that exports events to a syslog receiver and to an OpenTelemetry collector. */
describeScoped('events and lines of the audit log', (begin) => {
  const syslog = begin(() => SyslogReceiver.start());
  const collector = begin(() => OtlpReceiver.start());
  const environment = (): Record<string, string> => ({
    SYSLOG_URL: syslog.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_TRACES_EXPORTER: 'none',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=canary-header',
    OTEL_EXPORTER_OTLP_TIMEOUT: '2000',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  const path = begin(() => startDataPath(environment()));
  let orgId: string;

  beforeAll(async () => {
    const [row] = await path.gateway.database.query<{ id: string }>('SELECT id FROM organizations');
    orgId = row?.id ?? '';
  });

  afterAll(() => {
    expect([syslog.faults, collector.faults]).toEqual([[], []]);
  });

  /** Waits until both receivers have `count` events of these types. */
  const both = async (count: number, types: readonly string[], withinMs?: number): Promise<void> => {
    await syslog.has(count, types, withinMs);
    await collector.has(count, types, withinMs);
  };

  /** Publishes an event in a transaction. */
  const tell = (name: string): Promise<void> =>
    path.gateway.app
      .get(DataSource)
      .transaction((db) => path.gateway.app.get(Outbox).add(db, toolsChanged(name)));

  /** Publishes an event in a transaction that stays open. Returns a function that commits it. */
  const tellLate = async (name: string): Promise<() => Promise<void>> => {
    let commit = (): void => undefined;
    const committed = new Promise<void>((resolve) => (commit = resolve));
    let ends = Promise.resolve();
    await new Promise<void>((added, failed) => {
      ends = path.gateway.app.get(DataSource).transaction(async (db) => {
        await path.gateway.app.get(Outbox).add(db, toolsChanged(name));
        added();
        await committed;
      });
      ends.catch(failed);
    });
    return () => {
      commit();
      return ends;
    };
  };

  const toolsChanged = (name: string): PublishedEvent => ({
    orgId,
    type: 'mcp.tool.changed',
    data: { connection: { id: randomUUID(), name, subtype: 'mcpproxy' }, count: 1, tools: [] },
  });

  /** Returns, for each receiver, the connections in its events that have this prefix, in order of arrival. */
  const toldOf = (prefix: string): string[][] =>
    [
      firstOfEach(syslog.of('mcp.tool.changed')).map(({ facts }) => String(facts['connection'])),
      firstOfEach(collector.of('mcp.tool.changed')).map(({ attributes }) =>
        String(attributes['gateway.connection']),
      ),
    ].map((names) => names.filter((name) => name.startsWith(prefix)));

  const bothHave = (names: readonly string[], prefix: string, withinMs?: number): Promise<boolean> =>
    eventually(
      `${names.length} of ${prefix}`,
      async () => toldOf(prefix).every(({ length }) => length >= names.length),
      withinMs,
    );

  /** Waits until both receivers have the line. Lines come in order, so earlier lines have arrived too. */
  const bothHaveLine = (seq: number): Promise<boolean> =>
    eventually(`line ${seq}`, async () =>
      [
        syslog.of(LINE).map(({ text }) => JSON.parse(text) as { seq: number }),
        collector.of(LINE).map(({ body }) => body as { seq: number }),
      ].every((lines) => lines.some((line) => line.seq === seq)),
    );

  // promises: SIEM-1, SIEM-2, SIEM-3
  it('come to both, in the order in which they happened, each with what it is about', async () => {
    const connection = 'guarded';
    const id = await path.connect(connection);
    await createRule(path.gateway, {
      name: 'no secrets',
      connection_ids: [id],
      input: denyWords(['forbidden']),
    });
    const first = (await path.run('SELECT 1', { connection }, 'alice')).body.session_id as string;
    const second = (await path.run('SELECT forbidden', { connection }, 'alice')).body.session_id as string;
    await both(5, SESSION);
    // Drops repeated events, because unconfirmed events are sent again after a time limit.
    const told = firstOfEach(syslog.of(...SESSION));
    expect(
      told.map(({ msgId, severity, facts }) => [msgId, severity, facts['session_id'], facts['user']]),
    ).toEqual([
      ['session.started', 6, first, 'alice@example.com'],
      ['session.ended', 6, first, 'alice@example.com'],
      ['session.started', 6, second, 'alice@example.com'],
      ['session.blocked', 4, second, 'alice@example.com'],
      ['session.ended', 6, second, 'alice@example.com'],
    ]);
    expect(told[0]).toMatchObject({ facility: 13, host: '127.0.0.1', app: 'access-gateway' });
    expect(told[3]?.facts).toMatchObject({ connection, blocked: '1', org: orgId });
    expect(JSON.parse(told[3]?.text ?? '')).toMatchObject({ blocked: 1, rules: [{ name: 'no secrets' }] });

    const records = firstOfEach(collector.of(...SESSION));
    expect(records.map(({ id: uid, position, severity }) => [uid, position, severity])).toEqual(
      told.map(({ id: uid, position, severity }) => [uid, position, severity === 4 ? 13 : 9]),
    );
    expect(records[0]).toMatchObject({
      scope: 'access-gateway.events',
      resource: { 'service.name': 'access-gateway', 'deployment.environment.name': 'test' },
      attributes: { 'gateway.session_id': first, 'gateway.user': 'alice@example.com' },
      body: { session_id: first, verb: 'exec', connection: { name: connection, subtype: 'postgres' } },
    });
    expect(collector.requests.every(({ headers }) => headers['x-tenant'] === 'canary-header')).toBe(true);
    const positions = firstOfEach(syslog.received).map(({ position }) => position);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
  });

  // promises: SIEM-1
  it('have each line of the audit log, as the API shows it', async () => {
    const denied = await path.gateway.call('bob', 'DELETE', `/connections/orders`);
    const { seq: ofBob } = await auditLineOf(path.gateway, denied);
    const { body } = await path.gateway.call('admin', 'GET', '/audit/logs?page_size=100');
    const shown = (body.data as { seq: number; hash: string }[]).toReversed();
    await bothHaveLine(shown.at(-1)?.seq ?? 0);
    // Ignores lines after the shown ones, because lines of earlier requests may still arrive.
    const lines = firstOfEach(syslog.of(LINE)).slice(0, shown.length);
    expect(lines.map(({ text }) => JSON.parse(text) as unknown)).toEqual(shown);
    expect(
      firstOfEach(collector.of(LINE))
        .slice(0, shown.length)
        .map(({ body: line }) => (line as { seq: number }).seq),
    ).toEqual(shown.map(({ seq }) => seq));
    expect(lines[shown.findIndex(({ seq }) => seq === ofBob)]).toMatchObject({
      severity: 4,
      facts: {
        action: 'delete',
        resource_type: 'connections',
        resource_id: 'orders',
        outcome: 'denied',
        actor: 'bob@example.com',
      },
    });
  });

  // promises: SIEM-4
  it('name no secret, no script and no value', async () => {
    const secret = { ...secretOf(path.target), PASS: 'canary-password' };
    await path.connect('sealed', { secret });
    await path.gateway.call('admin', 'POST', '/api-keys', { name: 'robot', groups: ['dba'] });
    const ran = await path.run(`SELECT 'canary-in-the-script'`);
    // Waits only for the last audit line, because earlier requests wrote their lines before they were
    // answered.
    await bothHaveLine((await auditLineOf(path.gateway, ran)).seq);
    const everything = [...syslog.received.map(({ raw }) => raw), ...collector.texts].join('\n');
    expect(everything).toContain('sealed');
    expect(everything).not.toMatch(/canary|gwk_\w{8}/);
  });

  // promises: SIEM-5
  it('wait for a transaction that is committed late, and keep their order', async () => {
    const commitFirst = await tellLate('late-1');
    await tell('late-2');
    const commitThird = await tellLate('late-3');
    const undone = path.gateway.app.get(DataSource).transaction(async (db) => {
      await path.gateway.app.get(Outbox).add(db, toolsChanged('late-undone'));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await tell('late-4');
    await commitFirst();
    await bothHave(['late-1', 'late-2'], 'late');
    expect(toldOf('late')).toEqual([
      ['late-1', 'late-2'],
      ['late-1', 'late-2'],
    ]);
    await commitThird();
    const all = ['late-1', 'late-2', 'late-3', 'late-4'];
    await bothHave(all, 'late');
    expect(toldOf('late')).toEqual([all, all]);
  });

  // promises: SIEM-5, SIEM-6
  it('wait while a receiver breaks, is silent or refuses, and disturb nothing meanwhile', async () => {
    let asked = 0;
    const answers = [{ status: 503, headers: { 'retry-after': '1' } }, 'nothing', { status: 400 }] as const;
    collector.answering = () => answers[asked++] ?? { status: 200 };
    syslog.manner = 'resets';
    const names = Array.from({ length: 12 }, (_, n) => `faults-${String(n).padStart(2, '0')}`);
    for (const name of names) await tell(name);
    await eventually('the receiver has broken connections', async () => syslog.broken >= 2);
    expect((await path.run('SELECT 1')).status).toBe(200);
    syslog.manner = 'slow';
    await bothHave(names, 'faults', RECOVERS_WITHIN_MS);
    expect(toldOf('faults')).toEqual([names, names]);
    syslog.manner = 'taking';
    expect(asked).toBeGreaterThan(answers.length);
  }, 240_000);

  // promises: SIEM-7
  it('are exported by one gateway of several, and by another one when it is gone', async () => {
    const other = await startGateway({ environment: environment(), beside: path.gateway });
    const holder = async (): Promise<string | undefined> =>
      (
        await path.gateway.database.query<{ holder: string }>(
          `SELECT holder FROM export_cursors WHERE destination = 'syslog'`,
        )
      )[0]?.holder;
    const before = await holder();
    const count = syslog.received.length;
    const names = Array.from({ length: 20 }, (_, n) => `several-${String(n).padStart(2, '0')}`);
    for (const name of names) await tell(name);
    await bothHave(names, 'several');
    expect(toldOf('several')).toEqual([names, names]);
    expect(await holder()).toBe(before);
    const ids = syslog.received.slice(count).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // The exporting gateway stops. The other gateway continues where the export stopped.
    const [stops, stays] = [path.gateway.app, other.app].map((app) => app.get(EventExports));
    await stops?.beforeApplicationShutdown();
    expect(stays).toBeDefined();
    await tell('several-20');
    await bothHave([...names, 'several-20'], 'several', RECOVERS_WITHIN_MS);
    expect(await holder()).toBe(other.app.get(ChangeFeed).gatewayId);
    await other.close();
  }, 240_000);
});
