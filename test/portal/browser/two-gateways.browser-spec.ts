import { startDataPath } from '../../support/data-path';
import { freePort, startGateway } from '../../support/gateway';
import { type Journeys, type Visit, describeJourneys } from '../../support/portal/journeys';
import { ReviewScreens } from '../../support/portal/review-screens';
import { RunScreen } from '../../support/portal/run-screen';
import { startTcpProxy } from '../../support/tcp-proxy';
import { approvalsOn } from '../../support/waiting-scripts';

/** Starts two gateways of one database behind one address. A browser cannot choose which of them answers. */
async function startTwo() {
  const proxy = await startTcpProxy('127.0.0.1', await freePort());
  const origin = `http://127.0.0.1:${proxy.port}`;
  const environment = { API_URL: origin };
  const path = await startDataPath(environment, { redirectUris: [`${origin}/api/callback`] });
  const other = await startGateway({ beside: path.gateway, environment });
  const ports = [path.gateway, other].map(({ api }) => Number(new URL(api).port));
  let leadsTo = 1;
  const lose = (): void => {
    leadsTo = 1 - leadsTo;
    proxy.lead(ports[leadsTo] ?? 0);
    proxy.cut();
  };
  lose();
  return {
    path,
    gateway: { ...path.gateway, api: `${origin}/api` },
    approvals: approvalsOn(path),
    /** Simulates a killed gateway: cuts the connections of browsers, and lets the other gateway answer. */
    lose,
    close: async () => {
      await proxy.close();
      await other.close();
      await path.close();
    },
  };
}

const isAskedToSignIn = ({ page }: Visit): Promise<number> =>
  page.getByRole('button', { name: /^Sign in/ }).count();

const UNKILLED = { unkilled: 'each loses its gateway at moments of its own' };

describeJourneys('the portal of two gateways, of which one is lost', startTwo, tests, UNKILLED);

function tests({ path: two, journey }: Journeys<Awaited<ReturnType<typeof startTwo>>>): void {
  journey('keeps the sign-in', async ({ open }) => {
    const alice = await open('alice', '/connections', { isAlone: true });
    await alice.page.getByRole('link', { name: 'orders', exact: true }).waitFor();
    two.lose();
    await alice.press(alice.page.getByRole('link', { name: 'orders', exact: true }));
    await alice.sees('You may open it');
    two.lose();
    await alice.press(alice.page.getByRole('link', { name: 'Run scripts' }).first());
    await new RunScreen(alice).script.waitFor();
    expect(await isAskedToSignIn(alice)).toBe(0);
  });

  journey('tells of a decision without a reload', async ({ open }) => {
    const connection = await two.approvals.reviewed();
    const { review } = await two.approvals.ask('SELECT 6 * 7 AS answer', connection);
    const alice = await open('alice', `/reviews/${review}`);
    const hers = new ReviewScreens(alice);
    await hers.state('waits');
    two.lose();
    const bob = await open('bob', `/reviews/${review}`);
    await bob.press(new ReviewScreens(bob).button('Approve'));
    await hers.state('approved');
    two.lose();
    await alice.press(hers.button('Run it now'));
    await new RunScreen(alice).result.getByText('42').waitFor();
    await hers.state('done');
  });

  journey('follows a session, and shows each event once', async ({ open, unique }) => {
    const mark = unique('followed');
    const script = `SELECT '${mark}'; SELECT pg_sleep(5); SELECT '${mark}-later'`;
    const running = two.path.run(script, { correlation_id: mark }, 'alice');
    await two.path.untilRunning(/pg_sleep/);
    const { data } = (await two.path.gateway.call('alice', 'GET', `/sessions?correlation_id=${mark}`)).body;
    const alice = await open('alice', `/sessions/${data[0].id}`);
    const log = alice.page.getByRole('log', { name: 'Recording' });
    await log.getByText(mark).first().waitFor();
    two.lose();
    expect((await running).status).toBe(200);
    await alice.sees('That is all.');
    const { body } = await two.path.read(data[0].id, '?expand=event_stream');
    const events = body.event_stream.length as number;
    await alice.sees(new RegExp(`^${events} events`));
  });
}
