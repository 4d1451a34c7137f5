import { once } from 'node:events';
import { eventually } from '../support/eventually';
import { scoped } from '../support/scoped';
import { describeWithPrograms } from '../support/ssh/programs';
import { beginSshClients, disconnected, execute } from '../support/ssh/ssh-clients';

const MB = 1024 * 1024;
/**
 * More than the driver's client takes while nobody reads (3 MiB), by less than the gateway lets wait
 * (256 KiB): so its program ends, and the last part of its output waits for the client.
 */
const LATE_BYTES = 3_300_000;

// promises: SSHCLIENT-11
describeWithPrograms(
  'SSH clients that mean no good',
  ['ssh', 'sshd', 'ssh-keygen'],
  scoped((begin) => {
    const path = beginSshClients(begin);
    const sizeOf = async (id: string) => (await path.read(id)).body.metrics.event_size as number;
    const answersOthers = async () => {
      const other = await path.client();
      expect(await (await execute(other, 'echo here')).ended).toMatchObject({ out: 'here\n' });
      other.end();
    };

    it('that do not read make the program wait, and get all of it when they read', async () => {
      const client = await path.client();
      const command = await new Promise<import('ssh2').ClientChannel>((resolve, reject) =>
        client.exec('head -c 60000000 /dev/zero', (error, channel) =>
          error ? reject(error) : resolve(channel),
        ),
      );
      const session = await eventually('the session is open', async () =>
        (await path.sessions()).find(({ status }) => status === 'open'),
      );
      await eventually('the window is full', async () => (await sizeOf(session.id)) > MB);
      await answersOthers();
      await answersOthers();
      expect(await sizeOf(session.id)).toBeLessThan(25 * MB);
      let bytes = 0;
      command.on('data', (chunk: Buffer) => (bytes += chunk.length));
      await once(command, 'close');
      expect(bytes).toBe(60_000_000);
      client.end();
    });

    it('that read late get all of the output of a program that has ended', async () => {
      const client = await path.client();
      const command = await new Promise<import('ssh2').ClientChannel>((resolve, reject) =>
        client.exec(`head -c ${LATE_BYTES} /dev/zero`, (error, channel) =>
          error ? reject(error) : resolve(channel),
        ),
      );
      const session = await eventually('the session is open', async () =>
        (await path.sessions()).find(({ status }) => status === 'open'),
      );
      await eventually('all is recorded', async () => (await sizeOf(session.id)) > LATE_BYTES);
      // Longer than the gateway waits for a client that it disconnects.
      const other = await path.client();
      await (
        await execute(other, 'sleep 2')
      ).ended;
      other.end();
      let bytes = 0;
      command.on('data', (chunk: Buffer) => (bytes += chunk.length));
      const [code] = await once(command, 'close');
      expect([code, bytes]).toEqual([0, LATE_BYTES]);
      client.end();
    });

    // promises: SSHCLIENT-7
    it('that still read the output of a program that has ended are cut off by a kill, as while it ran', async () => {
      const client = await path.client();
      const command = await new Promise<import('ssh2').ClientChannel>((resolve, reject) =>
        client.exec(`head -c ${LATE_BYTES} /dev/zero`, (error, channel) =>
          error ? reject(error) : resolve(channel),
        ),
      );
      const session = await eventually('the session is open', async () =>
        (await path.sessions()).find(({ status }) => status === 'open'),
      );
      await eventually('all is recorded', async () => (await sizeOf(session.id)) > LATE_BYTES);
      await path.gateway.call('admin', 'POST', `/sessions/${session.id}/kill`);
      const closed = await path.lastSession();
      expect(closed).toMatchObject({ id: session.id, exit_code: 254 });
      expect((await path.recording(session.id)).at(-1)).toEqual([
        'e',
        'The session was ended by admin@example.com.\n',
      ]);
      let bytes = 0;
      command.on('data', (chunk: Buffer) => (bytes += chunk.length));
      const [code] = await once(command, 'close');
      expect(code).toBe(254);
      expect(bytes).toBeLessThan(LATE_BYTES);
    });

    it('that never read are disconnected when their session is killed', async () => {
      const client = await path.client();
      await new Promise<void>((resolve, reject) =>
        client.exec('head -c 60000000 /dev/zero', (error) => (error ? reject(error) : resolve())),
      );
      const session = await eventually('the session is open', async () =>
        (await path.sessions()).find(({ status }) => status === 'open'),
      );
      await eventually('the window is full', async () => (await sizeOf(session.id)) > MB);
      const closed = disconnected(client);
      await path.gateway.call('admin', 'POST', `/sessions/${session.id}/kill`);
      await closed;
      expect(await path.lastSession()).toMatchObject({ id: session.id, exit_code: 254 });
    });

    it('that send to a program which does not read wait, and lose nothing', async () => {
      const client = await path.client();
      const command = await execute(client, 'echo ready; sleep 2; wc -c');
      await eventually('the program waits', () => command.out() === 'ready\n');
      for (let sent = 0; sent < 40; sent += 1) command.channel.write(Buffer.alloc(MB));
      command.channel.end();
      await answersOthers();
      expect(await command.ended).toMatchObject({ code: 0, out: `ready\n${40 * MB}\n` });
      client.end();
    });

    it('that ignore what they were granted are disconnected', async () => {
      const client = await path.client();
      const command = await execute(client, 'echo ready; sleep 5');
      await eventually('the program waits', () => command.out() === 'ready\n');
      const closed = new Promise<void>((resolve) => client.on('close', () => resolve()));
      const { outgoing } = command.channel as unknown as { outgoing: { window: number } };
      outgoing.window = Number.MAX_SAFE_INTEGER;
      for (let sent = 0; sent < 40; sent += 1) command.channel.write(Buffer.alloc(MB - 1));
      await closed;
      await answersOthers();
    });

    it('that ask for thousands of channels get ten', async () => {
      const client = await path.client();
      const asked = await Promise.allSettled(Array.from({ length: 2_000 }, () => execute(client, 'cat')));
      const opened = asked.filter((each) => each.status === 'fulfilled').map(({ value }) => value);
      expect(opened).toHaveLength(10);
      await answersOthers();
      for (const { channel } of opened) channel.end();
      expect((await Promise.all(opened.map(({ ended }) => ended))).map(({ code }) => code)).toEqual(
        Array(10).fill(0),
      );
      client.end();
    });

    it('that leave while their server is dialed, or while they begin, leave no session open', async () => {
      for (let round = 0; round < 10; round += 1) {
        const client = await path.client();
        client.exec('sleep 5', () => undefined);
        if (round % 2 === 0) client.destroy();
        else client.end();
      }
      await eventually('all sessions are closed', async () =>
        (await path.sessions()).every(({ status }) => status === 'done'),
      );
    });
  }),
);
