import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Browser } from '../support/browser-sign-in';
import { commandLine } from '../support/command-line-sign-in';
import { describeGateway } from '../support/describe';
import { type Listed, sampleSessions, storeSessions } from '../support/listed-sessions';
import { authorizeUrl, press, reachConsent, redeem } from '../support/mcp-sign-in';
import { OWN_PAGE, signInAtPortal } from '../support/portal';
import { ROOT } from '../support/root';
import { startGateway } from '../support/gateway';
import { Clock } from '../../src/kernel/async/clock';

interface Described {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: object }>>;
}

const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, Described>>;
};
/** Operations that answer with a stream of events. */
const streams = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.values(methods)
    .filter(({ responses }) => 'text/event-stream' in (responses['200']?.content ?? {}))
    .map(({ operationId }) => [operationId, path] as const),
);

describeGateway('streams of somebody whose sign-in ends', ({ gateway, begin }) => {
  const other = begin(() => startGateway({ beside: gateway }));
  const session = randomUUID();

  beforeAll(async () => {
    await gateway.call('alice', 'GET', '/userinfo');
    const [org] = await gateway.database.query<{ id: string }>('SELECT id FROM organizations');
    const [sample] = sampleSessions(1) as [Listed];
    const open = { status: 'open', verb: 'exec', subject: 'alice', email: 'alice@example.com' } as const;
    await storeSessions(gateway.database, org?.id ?? '', [{ ...sample, ...open, id: session, review: null }]);
  });

  /** Opens a stream. The returned function waits for its end, and returns how many milliseconds that took. */
  const follow = async (path: string, headers: Record<string, string>, at = gateway) => {
    const response = await fetch(`${at.api}${path.replace(/\{\w+\}/, session)}`, { headers });
    const isOpen = response.status === 200 && response.headers.get('content-type') === 'text/event-stream';
    if (!isOpen) throw new Error(`no stream: ${response.status} ${await response.text()}`);
    const over = (async () => {
      for await (const _bytes of response.body ?? []);
    })().catch(() => undefined);
    return async (): Promise<number> => {
      const from = performance.now();
      await over;
      return performance.now() - from;
    };
  };

  it('are known', () => {
    expect(streams.length).toBeGreaterThanOrEqual(2);
  });

  // promises: PORTAL-3
  it.each(streams)('%s ends within 5 s at every gateway, when its reader signs out', async (_id, path) => {
    const alice = await signInAtPortal(gateway, 'alice');
    const beside = await signInAtPortal(gateway, 'alice');
    const headers = { cookie: alice.cookie, ...OWN_PAGE };
    const followed = await Promise.all([follow(path, headers), follow(path, headers, other)]);
    // This stream must stay open, because it belongs to another sign-in of the same person.
    const kept = await follow(path, { cookie: beside.cookie, ...OWN_PAGE });
    let isKept = true;
    const ended = kept().then(() => (isKept = false));
    expect((await alice.call('DELETE', '/portal-session')).status).toBe(204);
    for (const after of await Promise.all(followed.map((over) => over()))) expect(after).toBeLessThan(5_000);
    expect(isKept).toBe(true);
    await beside.call('DELETE', '/portal-session');
    await ended;
  });

  // promises: PORTAL-3
  it.each(streams)('%s ends when nobody has been at the portal for long', async (_id, path) => {
    const alice = await signInAtPortal(gateway, 'alice');
    const over = await follow(path, { cookie: alice.cookie, ...OWN_PAGE });
    const clock = jest
      .spyOn(gateway.app.get(Clock), 'now')
      .mockImplementation(() => Date.now() + 62 * 60_000);
    expect(await over()).toBeLessThan(5_000);
    clock.mockRestore();
  });

  it.each(streams)('%s ends when what was allowed to the command line is withdrawn', async (_id, path) => {
    const client = commandLine();
    const browser = new Browser();
    const api = { resource: gateway.api };
    const page = await reachConsent(browser, authorizeUrl(gateway, client, '', api), 'alice');
    const back = await press(browser, page, 'allow');
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code');
    const { body } = await redeem(gateway, client, code, api);
    const over = await follow(path, { authorization: `Bearer ${body.access_token as string}` });
    const { body: list } = await gateway.call('alice', 'GET', '/mcp-authorizations');
    for (const { id } of list.data as { id: string }[])
      expect((await gateway.call('alice', 'DELETE', `/mcp-authorizations/${id}`)).status).toBe(204);
    expect(await over()).toBeLessThan(5_000);
  });
});
