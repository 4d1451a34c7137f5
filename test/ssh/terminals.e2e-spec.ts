import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { WINDOW_BYTES } from '../../src/proxies/ssh/page/page-socket';
import { eventually } from '../support/eventually';
import { freePort } from '../support/gateway';
import { GatewayProcess } from '../support/gateway-process';
import { blockWord } from '../support/guarded-path';
import { createRule } from '../support/guardrails';
import { type PortalBrowser, signInAtPortal } from '../support/portal';
import { scoped } from '../support/scoped';
import { describeWithPrograms } from '../support/ssh/programs';
import { startSshClients } from '../support/ssh/ssh-clients';
import { PageClient } from '../support/ssh/page-client';
import { approve, ruleForScripts } from '../support/waiting-scripts';

const BY_ADMIN = 'The session was ended by admin@example.com.';

describeWithPrograms(
  'terminals of the portal',
  ['sshd', 'ssh-keygen', 'ssh'],
  scoped((begin) => {
    const path = begin(startSshClients);
    const alice = begin(
      () => signInAtPortal(path.gateway, 'alice'),
      () => undefined,
    );
    const clients: PageClient[] = [];
    const open = async (connection?: string, more?: object, who: PortalBrowser = alice) => {
      const client = await PageClient.open(path.gateway, who, connection, more);
      clients.push(client);
      return client;
    };
    /** Opens a terminal, and waits until its shell takes commands. */
    const opened = async (connection?: string, more?: object) => {
      const client = await open(connection, more);
      client.type("PS1='rea''dy>'; stty -echo\r");
      await client.sees('ready>');
      return client;
    };
    const openSession = async (): Promise<string> => {
      const { body } = await path.gateway.call('admin', 'GET', '/sessions?status=open');
      return body.data[0].id as string;
    };

    afterEach(async () => {
      for (const client of clients.splice(0)) await client.leave();
    });

    // promises: TERMINAL-1
    it('open a shell on the server, which is recorded like that of an SSH client', async () => {
      const client = await opened('server', { columns: 91, rows: 17, reason: 'ticket 42' });
      client.type('stty size; tty >/dev/null && echo "$TERM"\r');
      await client.sees('17 91\r\nxterm-256color');
      client.tell({ type: 'resize', columns: 120, rows: 40 });
      await eventually('the new size', () => {
        client.type('stty size\r');
        return client.shown.includes('40 120');
      });
      client.type('echo bye; exit 7\r');
      expect(await client.ended()).toBe(1000);
      expect(client.end).toEqual({ exit_code: 7 });
      const { id } = await path.lastSession();
      const { body } = await path.read(id);
      expect(body).toMatchObject({
        verb: 'connect',
        reason: 'ticket 42',
        exit_code: 7,
        labels: { channel: 'shell', client_address: '127.0.0.1', application_name: 'portal' },
        metadata: { terminal: { type: 'xterm-256color', columns: 91, rows: 17 } },
      });
      const recorded = await path.recording(id);
      const of = (type: string): string =>
        recorded
          .filter(([each]) => each === type)
          .map(([, content]) => content)
          .join('');
      expect(of('o')).toBe(client.shown);
      expect(of('i')).toContain('resize 120x40');
      // People type passwords.
      expect(of('i')).not.toContain('echo bye');
      expect((await path.read(id, '/verify')).body).toMatchObject({ status: 'valid', faults: [] });
    });

    // promises: TERMINAL-2
    describe('are refused', () => {
      const signedOut = begin(
        async () => {
          const browser = await signInAtPortal(path.gateway, 'alice');
          await browser.call('DELETE', '/portal-session');
          return browser;
        },
        () => undefined,
      );
      const origin = () => new URL(path.gateway.api).origin;

      it.each<[string, () => Record<string, string> | Promise<Record<string, string>>]>([
        ['a page of another origin', () => ({ cookie: alice.cookie, origin: 'https://evil.example.com' })],
        ['a page of another port', () => ({ cookie: alice.cookie, origin: 'http://127.0.0.1:1' })],
        ['a page without an origin', () => ({ cookie: alice.cookie, origin: 'null' })],
        ['a program that names no origin', () => ({ cookie: alice.cookie })],
        ['nobody', () => ({ origin: origin() })],
        ['an unknown cookie', () => ({ cookie: `gateway=${'A'.repeat(43)}`, origin: origin() })],
        ['two cookies', () => ({ cookie: `${alice.cookie}; ${alice.cookie}`, origin: origin() })],
        ['a person who has signed out', () => ({ cookie: signedOut.cookie, origin: origin() })],
        [
          'a bearer token in place of the cookie',
          async () => ({ authorization: `Bearer ${await path.gateway.token('alice')}`, origin: origin() }),
        ],
      ])('to %s', async (_, headers) => {
        const before = (await path.sessions()).length;
        expect(await PageClient.connect(path.gateway, 'server', await headers())).toBe(401);
        expect((await path.sessions()).length).toBe(before);
      });

      it.each<[string, string, object, string]>([
        ['a connection that is not there', 'nowhere', {}, 'There is no connection named nowhere.'],
        [
          'a page of somebody else',
          'server',
          { person: 'somebody' },
          'Somebody else signed in at this browser',
        ],
      ])('in words: %s', async (_, connection, more, words) => {
        const client = await open(connection, more);
        await client.ended();
        expect([client.shown.includes(words), client.end]).toEqual([true, { exit_code: 254 }]);
      });

      it('in words: a connection without clients, or without shells', async () => {
        await path.connect('locked', { access_mode_connect: 'disabled' });
        await path.ask('shell-less', path.server.secret({ CLIENT_MAY: 'command, sftp' }));
        const locked = await open('locked');
        await locked.ended();
        expect(locked.shown).toBe('The connection locked does not accept clients.\r\n');
        const without = await open('shell-less');
        await without.ended();
        expect(without.shown).toBe('This connection allows no interactive shells.\r\n');
        expect((await path.lastSession()).exit_code).toBe(254);
      });

      it('to auditors, in words', async () => {
        const auditor = await signInAtPortal(path.gateway, 'auditor');
        const client = await open('server', {}, auditor);
        await client.ended();
        expect(client.shown).toContain('Auditors may read, but open no connections');
      });
    });

    it('open at another gateway with several processes, and end when it stops', async () => {
      const journals = join(path.server.folder, 'journals');
      const other = await GatewayProcess.start({
        ...path.gateway.variables,
        PORT: String(await freePort()),
        POSTGRES_PROXY_PORT: '0',
        SSH_PROXY_PORT: '0',
        JOURNAL_DIR: journals,
        LOG_LEVEL: 'info',
        WORKERS: '2',
      });
      try {
        const headers = { cookie: alice.cookie, origin: new URL(path.gateway.api).origin };
        const client = await PageClient.connect(other, 'server', headers);
        if (typeof client === 'number') throw new Error(`refused: ${client}`);
        const { body } = await alice.call('GET', '/userinfo');
        client.tell({ type: 'open', person: body.id, columns: 80, rows: 24 });
        client.type("echo rea''dy\r");
        await client.sees('ready');
        other.kill('SIGTERM');
        await client.ended();
        expect(client.shown).toContain('The gateway is shutting down.');
        expect(await other.exited).toMatchObject({ code: 0 });
      } finally {
        other.kill('SIGKILL');
        await other.exited;
      }
    });

    // promises: TERMINAL-3
    it('wait for an approval where a rule asks for one', async () => {
      await path.connect('reviewed');
      await ruleForScripts(path.gateway, 'reviewed');
      const client = await open('reviewed');
      await client.sees(/reviews\/\S+/);
      const [, id = ''] = /reviews\/(\S+)/.exec(client.shown) ?? [];
      await approve(path.gateway, id);
      client.type("echo app''roved; exit\r");
      await client.ended();
      expect(client.shown).toContain('approved');
    });

    // promises: TERMINAL-3
    it('are ended by a rule for their output, with its message', async () => {
      const id = await path.connect('guarded');
      await createRule(path.gateway, {
        name: 'guarded',
        connection_ids: [id],
        output: blockWord('canary', 'Not here.'),
      });
      const client = await opened('guarded');
      client.type("echo can''ary\r");
      await client.ended();
      expect(client.shown.endsWith('Not here.\r\n')).toBe(true);
      expect(client.shown).not.toContain('canary');
      expect(client.end).toEqual({ exit_code: 254 });
    });

    // promises: TERMINAL-4
    it('end with the reason when their session is killed, whatever runs', async () => {
      const client = await opened();
      client.type('sleep 1000\r');
      const id = await openSession();
      await path.gateway.call('admin', 'POST', `/sessions/${id}/kill`);
      await client.ended();
      expect(client.shown.endsWith(`${BY_ADMIN}\r\n`)).toBe(true);
      expect((await path.recording(id)).at(-1)).toEqual(['e', `${BY_ADMIN}\n`]);
    });

    // promises: TERMINAL-4
    it('end with the reason when the person signs out', async () => {
      const browser = await signInAtPortal(path.gateway, 'alice');
      const client = await open('server', {}, browser);
      client.type("echo rea''dy\r");
      await client.sees('ready');
      await browser.call('DELETE', '/portal-session');
      await client.ended();
      expect(client.shown).toContain('The sign-in at the portal has ended; sign in again.');
      expect((await path.lastSession()).exit_code).toBe(254);
    });

    // promises: TERMINAL-4
    it('end with the reason when the person loses the connection', async () => {
      await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
      await path.connect('lost', { access_groups: ['engineering'] });
      const client = await opened('lost');
      await path.gateway.call('admin', 'PATCH', '/connections/lost', { access_groups: ['dba'] });
      await client.ended();
      expect(client.shown).toMatch(/groups/);
      expect(client.end).toEqual({ exit_code: 254 });
      await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: false } });
    });

    it('end the shell when the page is left', async () => {
      const client = await opened();
      const file = join(path.server.folder, 'hung-up');
      client.type(`trap 'touch ${file}; exit' HUP; echo tr''apped; while :; do sleep 0.1; done\r`);
      await client.sees('trapped');
      await client.leave();
      expect(await path.lastSession()).toMatchObject({ status: 'done', exit_code: 255 });
      await eventually('the shell was hung up', () => existsSync(file));
    });

    // promises: TERMINAL-5
    it('take a long paste whole', async () => {
      const client = await opened();
      const pasted = randomBytes(1_000_000);
      client.type("stty raw; echo be''gun; head -c 1000000 | sha256sum; exit\r");
      await client.sees('begun');
      client.send(pasted);
      await client.ended();
      expect(client.shown).toContain(createHash('sha256').update(pasted).digest('hex'));
    });

    // promises: TERMINAL-5
    it('echo a long paste whole, when neither direction waits for the other', async () => {
      const client = await opened();
      client.type("stty raw; echo be''gun; head -c 1000000; echo en''ded; exit\r");
      await client.sees('begun');
      client.send(Buffer.alloc(1_000_000, 'x'));
      await client.ended();
      expect(client.shown).toContain('ended');
      expect(client.shownBytes).toBeGreaterThan(1_000_000);
    });

    // promises: TERMINAL-5
    it('rest while a page shows nothing, and lose nothing', async () => {
      const client = await opened();
      client.reads = false;
      const before = client.shownBytes;
      const file = join(path.server.folder, 'written');
      client.type(`head -c 30000000 /dev/zero | tr '\\0' x; touch ${file}; echo en''ded\r`);
      await eventually('it has what was granted', () => client.shownBytes - before > WINDOW_BYTES);
      // The server would have written all of it meanwhile.
      for (let index = 0; index < 20; index += 1) await path.run('true');
      expect(existsSync(file)).toBe(false);
      expect(client.shownBytes - before).toBeLessThan(8 * WINDOW_BYTES);
      client.reads = true;
      client.tell({ type: 'read', bytes: client.shownBytes - before });
      await client.sees('ended');
      expect(client.shownBytes - before).toBeGreaterThanOrEqual(30_000_000);
    });

    // promises: TERMINAL-4, TERMINAL-5
    it('are ended although the page reads nothing at all', async () => {
      const client = await opened();
      client.socket.pause();
      client.type('yes\r');
      const id = await openSession();
      await eventually('much was recorded', async () => {
        const { body } = await path.read(id, '?expand=event_stream');
        return body.event_stream.length > 0;
      });
      await path.gateway.call('admin', 'POST', `/sessions/${id}/kill`);
      expect(await path.lastSession()).toMatchObject({ id, exit_code: 254 });
      client.socket.terminate();
    });

    // promises: TERMINAL-5
    it.each<[string, (client: PageClient) => void, number]>([
      ['a message that is too long', (client) => client.type(Buffer.alloc(65_537)), 1009],
      ['text that is no message', (client) => client.socket.send('{'), 1008],
      ['an unknown message', (client) => client.tell({ type: 'exec', command: 'id' }), 1008],
      ['a size that is none', (client) => client.tell({ type: 'resize', columns: -1, rows: 1e9 }), 1008],
      ['a long message', (client) => client.socket.send(JSON.stringify({ type: 'x'.repeat(10_000) })), 1008],
      [
        'more than was granted',
        (client) => {
          // More than the gateway, the server and its terminal hold, of which the program reads nothing.
          for (let index = 0; index < 1_000; index += 1) client.type(Buffer.alloc(16_384, 'x'));
        },
        1008,
      ],
    ])('end at %s, and the gateway serves on', async (_, attack, code) => {
      const client = await opened();
      client.type("stty raw; echo be''gun; sleep 1000\r");
      await client.sees('begun');
      attack(client);
      expect(await client.ended()).toBe(code);
      expect(await path.lastSession()).toMatchObject({ status: 'done', exit_code: 255 });
      const other = await opened();
      other.type('exit 3\r');
      await other.ended();
      expect(other.end).toEqual({ exit_code: 3 });
    });

    it('change nothing for requests that offer another protocol', async () => {
      const ask = async (method: string, at: string, headers: Record<string, string>, body = '') => {
        const sent = request(`${path.gateway.api}${at}`, {
          method,
          headers: { connection: 'Upgrade, HTTP2-Settings', ...headers },
        });
        sent.end(body);
        const [status, read] = await new Promise<[number, string]>((resolve, reject) => {
          sent.once('error', reject).once('response', (answer) => {
            text(answer).then((all) => resolve([answer.statusCode ?? 0, all]), reject);
          });
        });
        return { status, read };
      };
      const offered = { upgrade: 'h2c', 'http2-settings': 'AAMAAABkAAQAAP__' };
      expect((await ask('GET', '/publicserverinfo', offered)).status).toBe(200);
      const authorization = `Bearer ${await path.gateway.token('alice')}`;
      const script = JSON.stringify({ connection: 'server', script: 'echo hello' });
      const headers = { ...offered, authorization, 'content-type': 'application/json' };
      const ran = await ask('POST', '/sessions', headers, script);
      expect([ran.status, JSON.parse(ran.read).output]).toEqual([200, 'hello\n']);
      expect((await ask('GET', '/terminals/server', offered)).status).toBe(404);
      expect((await ask('GET', '/publicserverinfo', { upgrade: 'websocket' })).status).toBe(200);
      const socket = {
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'a'.repeat(22) + '==',
      };
      for (const name of ['%ff', '%', '%00'])
        expect([name, (await ask('GET', `/terminals/${name}`, socket)).status]).toEqual([name, 400]);
    });
  }),
);

// promises: TERMINAL-4
describeWithPrograms(
  'terminals of a gateway that stops',
  ['sshd', 'ssh-keygen', 'ssh'],
  scoped((begin) => {
    const path = begin(async () => {
      const started = await startSshClients();
      let stopped: Promise<void> | undefined;
      const close = (): Promise<void> => (stopped ??= started.close());
      return { ...started, close };
    });

    it('end with the reason, and then the gateway ends', async () => {
      const client = await PageClient.open(path.gateway, await signInAtPortal(path.gateway, 'alice'));
      client.type("echo rea''dy\r");
      await client.sees('ready');
      const closed = path.close();
      await client.ended();
      expect(client.shown).toContain('The gateway is shutting down.');
      await closed;
    });
  }),
);
