import { setImmediate as turn } from 'node:timers/promises';
import type { ClientChannel } from 'ssh2';
import { MemoryTrail, failing, pass, rules, sessionUnder } from '../../../../test/support/gated-session';
import type { OpenSsh } from '../../../targets/ssh/open-ssh';
import { InputRefused } from './command-reader';
import { RecordedRequests } from './recorded-requests';

const SIZE = { rows: 40, cols: 120, height: 0, width: 0 };

/** Requests to a program whose session has this recording. `forwarded` is what has reached the server. */
function requestsTo(trail: MemoryTrail, ruleSet = () => rules(() => pass)) {
  const forwarded: string[] = [];
  const failures: unknown[] = [];
  const { session } = sessionUnder(ruleSet, trail);
  const program = {
    outgoing: { id: 1, state: 'open' },
    setWindow: (rows: number, cols: number) => forwarded.push(`${cols}x${rows}`),
  } as unknown as ClientChannel;
  const client = { _protocol: { signal: (_id: number, name: string) => forwarded.push(name) } };
  const requests = new RecordedRequests(session, {
    server: { client } as unknown as OpenSsh,
    program,
    failed: (error) => failures.push(error),
  });
  return { requests, forwarded, failures };
}

/** Lets everything happen that waits for nothing. */
async function settle(): Promise<void> {
  for (let count = 0; count < 5; count += 1) await turn();
}

// promises: SSHCLIENT-6
describe('sizes of a terminal and signals', () => {
  it('are forwarded when they are durable, and not before', async () => {
    let durable = (): void => undefined;
    const trail = new MemoryTrail(Infinity, new Promise((resolve) => (durable = resolve)));
    const { requests, forwarded } = requestsTo(trail);
    requests.resize(SIZE);
    requests.signal('TERM');
    await settle();
    expect(trail.events).toEqual([
      ['i', 'resize 120x40\n'],
      ['i', 'signal TERM\n'],
    ]);
    expect(forwarded).toEqual([]);
    durable();
    await settle();
    expect(forwarded).toEqual(['120x40', 'TERM']);
    requests.stop();
  });

  it.each([
    ['cannot be judged', Infinity, failing],
    ['cannot be recorded', 0, () => rules(() => pass)],
  ])('are not forwarded when they %s', async (_, failsFrom, ruleSet) => {
    const trail = new MemoryTrail(failsFrom);
    const { requests, forwarded, failures } = requestsTo(trail, ruleSet);
    requests.signal('KILL');
    requests.resize(SIZE);
    await settle();
    expect(forwarded).toEqual([]);
    expect(failures).toHaveLength(2);
    if (failsFrom > 0) for (const failure of failures) expect(failure).toBeInstanceOf(InputRefused);
    requests.stop();
  });

  it('do not fill the memory when they come without end, and the last size counts', async () => {
    let durable = (): void => undefined;
    const trail = new MemoryTrail(Infinity, new Promise((resolve) => (durable = resolve)));
    const { requests, forwarded } = requestsTo(trail);
    for (let count = 0; count < 10_000; count += 1) {
      requests.signal('INT');
      requests.resize({ ...SIZE, cols: count });
    }
    await settle();
    expect(trail.events).toHaveLength(2);
    durable();
    await settle();
    requests.signal('INT');
    await settle();
    expect(forwarded.filter((each) => each === 'INT')).toHaveLength(2);
    while (forwarded.at(-1) !== '9999x40') await settle();
    expect(forwarded).toHaveLength(4);
    requests.stop();
  });

  it('are not forwarded after the end', async () => {
    const { requests, forwarded } = requestsTo(new MemoryTrail());
    requests.signal('INT');
    requests.stop();
    requests.signal('TERM');
    requests.resize(SIZE);
    await settle();
    expect(forwarded).toEqual([]);
  });
});
