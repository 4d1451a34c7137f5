import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import type { PublishedEvent } from '../../src/platform/events/event';
import { Outbox } from '../../src/platform/events/outbox';
import { MAX_CONCURRENT_DELIVERIES } from '../../src/integrations/webhooks/delivery-queue';
import { DeliveryWorker } from '../../src/integrations/webhooks/delivery-worker';
import { describeGateway } from '../support/describe';
import { eventually } from '../support/eventually';
import { startGateway } from '../support/gateway';
import { volume } from '../support/volume';
import { IMPATIENT, type Received, WebhookReceiver, subscribe } from '../support/webhook-receiver';

/** Number of events. Each is published at about the moment when the delivery of the one before it ends. */
const EVENTS = volume(60, 150);
const environment = { ...IMPATIENT, WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1,1' };

/** Two gateways on one database, which share the work of sending webhook messages. */
describeGateway('webhooks of several gateways', { environment }, ({ gateway, begin }) => {
  const other = begin(() => startGateway({ environment, beside: gateway }));
  const gateways = [gateway, other] as const;
  let orgId: string;
  let receivers: WebhookReceiver[] = [];
  let webhooks: string[] = [];

  beforeAll(async () => {
    const [row] = await gateway.database.query<{ id: string }>('SELECT id FROM organizations');
    orgId = row?.id ?? '';
  });

  afterEach(async () => {
    for (const id of webhooks) await gateways[0].call('admin', 'DELETE', `/webhooks/${id}`);
    for (const receiver of receivers) await receiver.close();
    [webhooks, receivers] = [[], []];
  });

  const listen = async (answering: WebhookReceiver['answering']): Promise<WebhookReceiver> => {
    const receiver = await WebhookReceiver.start();
    receivers.push(receiver);
    receiver.answering = answering;
    webhooks.push((await subscribe(gateways[0], receiver.url, ['review.requested'])).id);
    return receiver;
  };

  /** Publishes event number `n` of the session, in a separate transaction. */
  const tell = async (session: string, n: number): Promise<void> => {
    const { app } = gateways[n % 2 === 0 ? 0 : 1];
    await app.get(DataSource).transaction((db) => app.get(Outbox).add(db, event(session, n)));
  };

  const event = (session: string, n: number): PublishedEvent => ({
    orgId,
    type: 'review.requested',
    data: {
      review_id: randomUUID(),
      session_id: session,
      call: null,
      review_type: 'onetime',
      connection: { id: randomUUID(), name: 'orders', subtype: 'postgres' },
      requester: { id: 'alice', email: 'alice@example.com', name: 'Alice', identity_type: 'user' },
      rules: [{ id: randomUUID(), name: `rule-${n}` }],
      reason: null,
      groups: ['dba'],
      access_duration: null,
      expires_at: new Date().toISOString(),
    },
  });

  const numberOf = ({ body }: Received): number => Number(body.data.rules[0].name.slice('rule-'.length));

  // promises: WEBHOOK-3
  it('deliver each session’s events in order and, without failures, once', async () => {
    let requests = 0;
    const receiver = await listen(async () => {
      // The delays vary, so that later requests are answered before earlier ones.
      await delay((++requests * 7) % 11);
      return 204;
    });
    const sessions = Array.from({ length: 8 }, () => randomUUID());
    const each = Array.from({ length: volume(20, 40) }, (_, n) => n);
    await Promise.all(
      sessions.map(async (session) => {
        for (const n of each) await tell(session, n);
      }),
    );
    await receiver.has(sessions.length * each.length);
    for (const session of sessions) {
      const came = receiver.received.filter(({ body }) => body.data.session_id === session);
      expect(came.map(numberOf)).toEqual(each);
    }
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('keep the order when attempts fail', async () => {
    const arrived = new Map<string, number[]>();
    // The receiver refuses fewer messages than one delivery has attempts, so that no delivery becomes dead.
    let refusals = 8;
    let requests = 0;
    const receiver = await listen((message) => {
      if (++requests % 2 === 1 && refusals-- > 0) return 500;
      const session = message.body.data.session_id as string;
      arrived.set(session, [...(arrived.get(session) ?? []), numberOf(message)]);
      return 200;
    });
    const sessions = Array.from({ length: 4 }, () => randomUUID());
    for (const n of [0, 1, 2, 3, 4]) await Promise.all(sessions.map((session) => tell(session, n)));
    await eventually('all have arrived', async () => [...arrived.values()].flat().length >= 20, 60_000);
    for (const session of sessions) expect(arrived.get(session)).toEqual([0, 1, 2, 3, 4]);
    expect(receiver.received.length).toBeGreaterThan(20);
  });

  // promises: WEBHOOK-8
  it('never delay one endpoint because of another that is silent or unreachable', async () => {
    const open = { now: 0, most: 0 };
    await listen((_message, response) => {
      open.now += 1;
      open.most = Math.max(open.most, open.now);
      response.on('close', () => (open.now -= 1));
    });
    const away = await listen(() => 204);
    const quick = await listen(() => 204);
    await away.close();
    receivers = receivers.filter((it) => it !== away);
    await Promise.all(Array.from({ length: 60 }, (_, n) => tell(randomUUID(), n)));
    await quick.has(60);
    expect(open.most).toBeGreaterThan(0);
    expect(open.most).toBeLessThanOrEqual(2 * MAX_CONCURRENT_DELIVERIES);
  });

  it('report nothing that was not committed', async () => {
    const receiver = await listen(() => 204);
    const [source, outbox] = [gateways[0].app.get(DataSource), gateways[0].app.get(Outbox)];
    const undone = source.transaction(async (db) => {
      await outbox.add(db, event(randomUUID(), 666));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await tell(randomUUID(), 1);
    await receiver.has(1);
    await delay(200);
    expect(receiver.received.map(numberOf)).toEqual([1]);
  });

  it('strand no delivery that joins a queue while its only one leaves', async () => {
    const receiver = await listen(() => 204);
    const session = randomUUID();
    // Publishes each event at about the moment when the delivery of the event before it ends.
    for (let n = 0; n < EVENTS; n++) {
      await tell(session, n);
      await eventually(`${n} has come`, async () => receiver.received.length > n - 1);
    }
    await receiver.has(EVENTS);
    expect(receiver.received.map(numberOf)).toEqual(Array.from({ length: EVENTS }, (_, n) => n));
  });

  it('are released by a stopping gateway, and the attempt does not count', async () => {
    // Stops the senders of both gateways. Now only the gateway `stopping` sends messages.
    for (const gateway of gateways) await gateway.app.get(DeliveryWorker).beforeApplicationShutdown();
    const stopping = await startGateway({
      environment: { ...environment, WEBHOOK_TIMEOUT_SECONDS: '60' },
      beside: gateways[0],
    });
    const receiver = await listen(() => undefined);
    await tell(randomUUID(), 1);
    await receiver.has(1);
    await stopping.close();
    const rows = await gateways[0].database.query(
      `SELECT attempts, lease, next_attempt_at <= now() AS due FROM webhook_deliveries
       WHERE webhook_id = $1 AND state = 'pending'`,
      webhooks,
    );
    expect(rows).toEqual([{ attempts: 0, lease: null, due: true }]);
  });
});
