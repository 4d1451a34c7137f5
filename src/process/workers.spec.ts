import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { eventually } from '../../test/support/eventually';
import { freePort } from '../../test/support/free-port';
import { Workers } from './workers';

type Fault = 'says why' | 'dies' | 'dies later' | 'is deaf' | 'stops badly';
interface Task {
  readonly ports: readonly number[];
  readonly key: Buffer;
  readonly fault: Fault | undefined;
}

const KEY = randomBytes(32);

describe('Workers', () => {
  let ports: [number, number];
  let workers: Workers<Task> | undefined;
  let hopeless: Promise<Error>;
  let logged: string[];

  beforeEach(async () => {
    ports = [await freePort(), await freePort()];
    logged = [];
    for (const level of ['log', 'error'] as const) {
      jest
        .spyOn(Logger.prototype, level)
        .mockImplementation((...line: unknown[]) => void logged.push(String(line[0])));
    }
  });

  afterEach(async () => {
    await workers?.stop().catch(() => undefined);
    jest.restoreAllMocks();
  });

  /**
   * Makes workers. `faults` has the fault of each worker, in the order of their start. Later workers have
   * none.
   */
  function workersWith(faults: (Fault | undefined)[] = [], count = 2, stopsWithinMs = 20_000): Workers<Task> {
    hopeless = new Promise((resolve) => {
      workers = new Workers({
        count,
        program: join(__dirname, 'workers.fixture.cjs'),
        task: () => ({ ports, key: KEY, fault: faults.shift() }),
        stopsWithinMs,
        onHopeless: resolve,
      });
    });
    return workers as Workers<Task>;
  }

  /** Returns the process id of the worker that answers at the port, and whether its key is a Buffer. */
  async function ask(port: number): Promise<string> {
    const socket = connect(port, '127.0.0.1');
    const answer = socket.setEncoding('utf8').toArray();
    return (await answer).join('');
  }

  /** Returns the process ids of the workers that answer six connections. */
  async function pids(port = ports[0]): Promise<Set<number>> {
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(port).catch(() => '')));
    return new Set(answers.filter((answer) => answer !== '').map(Number.parseFloat));
  }

  async function eventuallyServing(count: number, without: number): Promise<Set<number>> {
    for (const limit = Date.now() + 60_000; Date.now() < limit; await delay(50)) {
      const serving = await pids();
      if (serving.size === count && !serving.has(without)) return serving;
    }
    throw new Error(`not ${count} workers without ${without}: ${logged.join('; ')}`);
  }

  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('share both ports in turn, and all stop', async () => {
    await workersWith().start();
    const serving = await pids(ports[0]);
    expect(serving.size).toBe(2);
    expect(await pids(ports[1])).toEqual(serving);
    expect(await ask(ports[0])).toMatch(/ true$/);
    await workers?.stop();
    expect([...serving].map(isAlive)).toEqual([false, false]);
    await nobodyListens();
  });

  (process.platform === 'linux' ? it : it.skip)(
    'get their secrets where no other user can read them (only Linux shows what a process was given)',
    async () => {
      await workersWith().start();
      for (const pid of await pids()) {
        const shown = await Promise.all(
          ['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'latin1')),
        );
        for (const form of ['base64', 'hex', 'latin1'] as const)
          expect(shown.join()).not.toContain(KEY.toString(form));
      }
    },
  );

  it('are followed by others when they die, while those that live go on', async () => {
    await workersWith().start();
    const [first = 0, second = 0] = await pids();
    process.kill(first, 'SIGKILL');
    const serving = await eventuallyServing(2, first);
    expect(serving.has(second)).toBe(true);
    expect(logged).toContainEqual(expect.stringMatching(`^Worker ${first} is gone \\(SIGKILL\\)`));
  });

  it('leave no client behind that waits for one that died', async () => {
    await workersWith().start();
    const [frozen = 0] = await pids();
    process.kill(frozen, 'SIGSTOP');
    let count = 0;
    const answers = [1, 2, 3, 4].map(() =>
      ask(ports[0])
        .catch(() => '')
        .finally(() => (count += 1)),
    );
    await eventually('those are answered that the other one has', async () => count === 3);
    process.kill(frozen, 'SIGKILL');
    const told = await Promise.all(answers);
    expect(told.filter((answer) => answer === '')).toHaveLength(1);
    expect(told.map(Number.parseFloat)).not.toContain(frozen);
  });

  it('are tried again when one that follows cannot start, for as long as somebody serves', async () => {
    await workersWith([undefined, undefined, ...Array<Fault>(4).fill('says why')]).start();
    const [first = 0, second = 0] = await pids();
    process.kill(first, 'SIGKILL');
    expect((await eventuallyServing(2, first)).has(second)).toBe(true);
    expect(logged.filter((line) => line.endsWith('did not start: The port is taken.'))).toHaveLength(4);
  });

  /**
   * Waits until connections are refused. Node.js closes the port of a cluster a moment after its last worker
   * ended, and until then resets connections.
   */
  const nobodyListens = () =>
    eventually('connections are refused', () =>
      ask(ports[0]).then(
        () => false,
        (error: Error) => error.message.includes('ECONNREFUSED'),
      ),
    );

  it('are given up when nobody serves and those that follow die, too', async () => {
    await workersWith([undefined, undefined, ...Array<Fault>(9).fill('dies')]).start();
    for (const pid of await pids()) process.kill(pid, 'SIGKILL');
    expect((await hopeless).message).toMatch(/^No worker is left: 5 died within 30 seconds\./);
  });

  it.each([
    ['the first says why it cannot', ['says why'], 'The port is taken.'],
    ['the first dies', ['dies'], 'A worker ended before it served (SIGKILL).'],
    ['another cannot', [undefined, 'says why'], 'The port is taken.'],
  ] as [string, (Fault | undefined)[], string][])(
    'do not start when %s, and leave nobody behind',
    async (_, faults, why) => {
      const started = workersWith(faults, 3);
      await expect(started.start()).rejects.toThrow(new Error(why));
      await started.stop();
      await nobodyListens();
    },
  );

  it('start one by one no further than the first that cannot', async () => {
    const faults: Fault[] = ['says why', 'says why', 'says why'];
    await expect(workersWith(faults, 3).start()).rejects.toThrow('The port is taken.');
    expect(faults).toHaveLength(2);
  });

  it('are killed when they do not stop, and their waiters are rejected', async () => {
    await workersWith(['is deaf', 'stops badly'], 2, 500).start();
    const serving = await pids();
    await expect(workers?.stop()).rejects.toThrow(
      /^2 workers did not stop cleanly: (SIGKILL|, |exit code 1){3}$/,
    );
    expect([...serving].map(isAlive)).toEqual([false, false]);
  });

  it('are not replaced once they are to stop', async () => {
    await workersWith([undefined, 'dies later']).start();
    while (!logged.some((line) => line.includes('is gone'))) await delay(5);
    await workers?.stop();
    const before = [...logged];
    await delay(300);
    expect(logged).toEqual(before);
    await nobodyListens();
  });
});
