import { describeProcesses } from '../support/describe';
import { eventually } from '../support/eventually';
import { freePort } from '../support/gateway';
import { GatewayProcess } from '../support/gateway-process';
import { OtlpReceiver } from '../support/siem/otlp-receiver';
import { SyslogReceiver, firstOfEach } from '../support/siem/syslog-receiver';
import { scrapeMetrics, sumOf } from '../support/scrape';
import { secretOf } from '../support/target';
import { volume } from '../support/volume';

const KILLS = volume(4, 12);
const SCRIPTS_AT_ONCE = 10;
const EXPORTED_WITHIN_MS = 180_000;

interface ReceivedOnce {
  readonly id: string;
  readonly position: number;
}

/** Two gateways export the same outbox, and are killed in turn while they export it. */
describeProcesses('the export of gateways that are killed', ({ folder, database, target, production }) => {
  let syslog: SyslogReceiver;
  let collector: OtlpReceiver;
  const gateways: [GatewayProcess?, GatewayProcess?] = [];
  const ports: string[] = [];
  const metricsPorts: string[] = [];

  const start = async (place: 0 | 1): Promise<void> => {
    gateways[place] = await GatewayProcess.start({
      ...production.variables,
      PORT: ports[place] ?? '',
      JOURNAL_DIR: `${folder.path}/${place}`,
      HEARTBEAT_SECONDS: '1',
      METRICS_PORT: metricsPorts[place] ?? '',
      SCRIPTS_PER_USER: '1000',
      SYSLOG_URL: syslog.url,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_EXPORTER: 'none',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    });
  };

  beforeAll(async () => {
    [syslog, collector] = [await SyslogReceiver.start(), await OtlpReceiver.start()];
    for (const place of [0, 1] as const) {
      ports[place] = String(await freePort());
      metricsPorts[place] = String(await freePort());
      await start(place);
    }
    await gateways[0]?.post('/connections', await production.token(), {
      name: 'orders',
      type: 'database',
      subtype: 'postgres',
      secret: secretOf(target),
    });
  }, 240_000);

  afterAll(async () => {
    for (const gateway of gateways) gateway?.kill('SIGKILL');
    for (const gateway of gateways) await gateway?.exited;
    await syslog.close();
    await collector.close();
  });

  const run = async (gateway: GatewayProcess | undefined, token: string): Promise<void> => {
    // Ignores errors, because a gateway that is killed during the request does not answer.
    await gateway
      ?.post('/sessions', token, { connection: 'orders', script: 'SELECT 1' })
      .then((answer) => answer.text())
      .catch(() => undefined);
  };

  const bothReceived = (): readonly (readonly ReceivedOnce[])[] => [syslog.received, collector.records];

  const stored = (): Promise<{ id: string; position: string }[]> =>
    database.query('SELECT id, position FROM outbox ORDER BY position');

  // promises: SIEM-3, SIEM-5, SIEM-7
  it('loses nothing, keeps the order, and repeats only what was being sent', async () => {
    const token = await production.token();
    for (let kill = 0; kill < KILLS; kill++) {
      const place = kill % 2 === 0 ? 0 : 1;
      const [victim, survivor] = [gateways[place], gateways[1 - place]];
      const before = syslog.received.length;
      // Kills the gateway in the middle of a batch, when it does not know which events have arrived.
      syslog.onMessage = () => {
        if (syslog.received.length === before + 5) victim?.kill('SIGKILL');
      };
      const work = Array.from({ length: SCRIPTS_AT_ONCE }, () => [
        run(victim, token),
        run(survivor, token),
      ]).flat();
      await Promise.all(work);
      await eventually(
        'events have come',
        async () => syslog.received.length > before + 5,
        EXPORTED_WITHIN_MS,
      );
      syslog.onMessage = () => undefined;
      victim?.kill('SIGKILL');
      await victim?.exited;
      await start(place);
    }
    await eventually(
      'all has been exported',
      async () => {
        const count = (await stored()).length;
        return bothReceived().every((received) => firstOfEach(received).length === count);
      },
      EXPORTED_WITHIN_MS,
    );
    const ids = (await stored()).map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(KILLS * SCRIPTS_AT_ONCE);
    for (const received of bothReceived()) {
      expect(firstOfEach(received).map(({ id }) => id)).toEqual(ids);
      const steppedBack = received.filter(
        ({ position }, at) => position <= (received[at - 1]?.position ?? 0),
      );
      expect(steppedBack.length).toBeLessThanOrEqual(KILLS);
    }
    expect([syslog.faults, collector.faults]).toEqual([[], []]);
  }, 600_000);

  // promises: SIEM-6
  it('shows what waits, and asks nothing of sessions while the collector is away', async () => {
    const token = await production.token();
    const series = (name: string, destination: string): Promise<number> =>
      scrapeMetrics(metricsPorts[0] ?? '').then((all) => sumOf(all, name, { destination }));
    const { port } = syslog;
    await syslog.close();
    const known = new Set((await stored()).map(({ id }) => id));
    const answer = await gateways[0]?.post('/sessions', token, { connection: 'orders', script: 'SELECT 1' });
    expect(answer?.status).toBe(200);
    // The gateway queries the database for this metric at most every ten seconds.
    await eventually(
      'the lag is seen',
      async () =>
        (await series('gateway_export_events_waiting', 'syslog')) >= 2 &&
        (await series('gateway_export_lag_seconds', 'syslog')) > 1 &&
        (await series('gateway_export_events_waiting', 'otlp')) === 0,
      EXPORTED_WITHIN_MS,
    );
    const failures = await Promise.all(
      metricsPorts.map(async (one) =>
        sumOf(await scrapeMetrics(one), 'gateway_export_failures_total', { destination: 'syslog' }),
      ),
    );
    expect(Math.max(...failures)).toBeGreaterThan(0);
    syslog = await SyslogReceiver.start(undefined, port);
    const missed = (await stored()).map(({ id }) => id).filter((id) => !known.has(id));
    await eventually(
      'what waited has come',
      async () => syslog.received.length >= missed.length,
      EXPORTED_WITHIN_MS,
    );
    expect(syslog.received.map(({ id }) => id).slice(0, missed.length)).toEqual(missed);
  }, 600_000);
});
