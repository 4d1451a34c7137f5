import { describeProcesses } from '../support/describe';
import { GatewayProcess } from '../support/gateway-process';
import { secretOf } from '../support/target';
import { IMPATIENT, WebhookReceiver } from '../support/webhook-receiver';

/** The gateway sends a message, and is killed before it can store that the message was delivered. */
describeProcesses('webhooks of a gateway that is killed', ({ folder, target, production }) => {
  let receiver: WebhookReceiver;
  let gateway: GatewayProcess;

  beforeAll(async () => {
    receiver = await WebhookReceiver.start();
    gateway = await start();
  }, 180_000);

  afterAll(async () => {
    gateway.kill('SIGKILL');
    await gateway.exited;
    await receiver.close();
  });

  const start = () =>
    GatewayProcess.start({
      ...production.variables,
      ...IMPATIENT,
      // After a kill, a delivery in flight is sent again only after this time-out and a margin.
      WEBHOOK_TIMEOUT_SECONDS: '2',
      JOURNAL_DIR: folder.path,
      HEARTBEAT_SECONDS: '1',
    });

  // promises: WEBHOOK-7
  it('are sent again by the next one: the same message, and what follows after it', async () => {
    const token = await production.token();
    const secret = secretOf(target);
    await gateway.post('/connections', token, {
      name: 'orders',
      type: 'database',
      subtype: 'postgres',
      secret,
    });
    const events = ['session.started', 'session.ended'];
    await gateway.post('/webhooks', token, { url: receiver.url, events });

    receiver.answering = () => gateway.kill('SIGKILL');
    // The request gets no answer, because the gateway is killed when the first message arrives.
    await gateway
      .post('/sessions', token, { connection: 'orders', script: 'SELECT pg_sleep(100)' })
      .catch(() => undefined);
    await gateway.exited;
    expect(receiver.types()).toEqual(['session.started']);

    receiver.answering = () => 204;
    gateway = await start();
    await receiver.has(3, undefined, 60_000);
    expect(receiver.types()).toEqual(['session.started', 'session.started', 'session.ended']);
    const [first, again] = receiver.received;
    expect(again?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(again?.text).toBe(first?.text);
  }, 180_000);
});
