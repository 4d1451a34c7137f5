import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { shown, textBytes, within } from '../../portal/src/files/paths';
import { blockWord, maskWord } from '../support/guarded-path';
import { createRule } from '../support/guardrails';
import { signInAtPortal } from '../support/portal';
import { scoped } from '../support/scoped';
import { PageClient } from '../support/ssh/page-client';
import { describeWithPrograms } from '../support/ssh/programs';
import { startSshClients } from '../support/ssh/ssh-clients';
import { approve, ruleForScripts } from '../support/waiting-scripts';

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const nothing = (): void => undefined;

describeWithPrograms(
  'files of servers in the portal',
  ['sshd', 'ssh-keygen', 'ssh'],
  scoped((begin) => {
    const path = begin(startSshClients);
    const alice = begin(
      () => signInAtPortal(path.gateway, 'alice'),
      () => undefined,
    );
    const clients: PageClient[] = [];
    const open = async (connection?: string, more?: object) => {
      const files = await PageClient.files(path.gateway, alice, connection, more);
      clients.push(files.client);
      return files;
    };
    const begun = async (connection?: string, more?: object) => {
      const files = await open(connection, more);
      await files.sftp.begin();
      return files;
    };
    let folder: string;
    let count = 0;
    const at = (name: string) => textBytes(join(folder, name));
    const named = (name: string) => `${name}-${count}`;
    const under = async (rule: object, more: object = {}): Promise<string> => {
      const name = named('guarded');
      const id = await path.connect(name, more);
      await createRule(path.gateway, { name, connection_ids: [id], ...rule });
      return name;
    };

    beforeEach(async () => {
      folder = join(path.server.folder, `page-files-${(count += 1)}`);
      await mkdir(folder);
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) await client.leave();
    });

    // promises: FILES-1
    it('are listed, moved, renamed and removed, and recorded as those of an SSH client', async () => {
      const content = randomBytes(3_000_000);
      const { client, sftp } = await open('server', { reason: 'ticket 42' });
      expect(shown(await sftp.begin())).toMatch(/^\//);
      const told: number[] = [];
      await sftp.makeFolder(at('new'));
      await sftp.write(at('new/up'), new Blob([content]), 'create', (bytes) => told.push(bytes));
      expect(told.at(-1)).toBe(content.length);
      expect((await readFile(join(folder, 'new', 'up'))).equals(content)).toBe(true);
      const { entries, hasMore } = await sftp.list(at('new'));
      expect(entries.map(({ name, kind, size }) => [shown(name), kind, size])).toEqual([
        ['up', 'file', content.length],
      ]);
      expect([hasMore, Math.abs((entries[0]?.changed?.getTime() ?? 0) - Date.now()) < 60_000]).toEqual([
        false,
        true,
      ]);
      const down = await sftp.read(at('new/up'), nothing);
      expect(Buffer.from(await down.arrayBuffer()).equals(content)).toBe(true);
      await sftp.rename(at('new/up'), at('moved'));
      await sftp.remove(at('moved'), 'file');
      await sftp.remove(at('new'), 'folder');
      expect(await readdir(folder)).toEqual([]);
      await client.leave();
      const session = await path.lastSession();
      expect((await path.read(session.id)).body).toMatchObject({
        verb: 'connect',
        reason: 'ticket 42',
        labels: { channel: 'sftp', application_name: 'portal' },
        metadata: {},
      });
      const recorded = await path.recording(session.id);
      const hash = `3000000 bytes, SHA-256 ${sha256(content)}: ${folder}/new/up`;
      for (const event of [
        ['i', `mkdir ${folder}/new`],
        ['o', `wrote ${hash}\n`],
        ['o', `read ${hash}\n`],
        ['i', `rename ${folder}/new/up ${folder}/moved`],
        ['i', `remove ${folder}/moved`],
      ])
        expect(recorded.map(String)).toContain(String(event));
      expect((await path.read(session.id, '/verify')).body).toMatchObject({ status: 'valid', faults: [] });
    });

    // promises: FILES-1
    it.each([0, 1, 32_767, 32_768, 32_769, 200_000])('of %i bytes are moved whole', async (size) => {
      const content = randomBytes(size);
      const { sftp } = await begun();
      await sftp.write(at('file'), new Blob([content]), 'create', nothing);
      const down = await sftp.read(at('file'), nothing);
      expect(Buffer.from(await down.arrayBuffer()).equals(content)).toBe(true);
      expect((await readFile(join(folder, 'file'))).equals(content)).toBe(true);
    });

    // promises: FILES-1
    it('are replaced only where the person says so, and wholly', async () => {
      const { sftp } = await begun();
      await writeFile(join(folder, 'file'), 'a longer text');
      await expect(sftp.write(at('file'), new Blob(['short']), 'create', nothing)).rejects.toThrow('Failure');
      expect(await readFile(join(folder, 'file'), 'utf8')).toBe('a longer text');
      await sftp.write(at('file'), new Blob(['short']), 'replace', nothing);
      expect(await readFile(join(folder, 'file'), 'utf8')).toBe('short');
    });

    // promises: FILES-1
    it.each<[string, Buffer]>([
      ['a line feed', Buffer.from('two\nlines')],
      ['an escape sequence', Buffer.from('\x1b]52;c;ZXZpbA==\x07')],
      ['letters that run to the left', Buffer.from('\u202egpj.exe')],
      ['bytes that are no UTF-8', Buffer.from([0x66, 0xff, 0xfe, 0x2e])],
      ['a name like an option', Buffer.from('-rf')],
    ])('are reached by a name with %s', async (_, name) => {
      await writeFile(Buffer.concat([Buffer.from(`${folder}/`), name]), 'content');
      const { sftp } = await begun();
      const [entry] = (await sftp.list(textBytes(folder))).entries;
      if (entry === undefined) throw new Error('it is not listed');
      expect(Buffer.from(entry.name).equals(name)).toBe(true);
      const file = within(textBytes(folder), entry.name);
      expect(await (await sftp.read(file, nothing)).text()).toBe('content');
      await sftp.remove(file, 'file');
      expect(await readdir(folder)).toEqual([]);
    });

    // promises: FILES-2
    it('are refused in the words of rules and of the connection', async () => {
      await writeFile(join(folder, 'secret.pem'), 'a key');
      await writeFile(join(folder, 'letter'), 'a canary sings');
      const denied = await begun(
        await under({
          input: {
            rules: [
              {
                type: 'file_transfer',
                words: [],
                pattern_regex: '',
                file_operations: ['read'],
                file_extensions: ['pem'],
                message: 'No keys.',
              },
            ],
          },
          output: maskWord('canary'),
        }),
      );
      await expect(denied.sftp.read(at('secret.pem'), nothing)).rejects.toThrow('No keys.');
      await expect(denied.sftp.read(at('letter'), nothing)).rejects.toThrow('A rule masks text in this file');
      await path.ask(named('reading'), path.server.secret({ CLIENT_MAY: 'sftp-read' }));
      const reading = await begun(named('reading'));
      expect(await (await reading.sftp.read(at('letter'), nothing)).text()).toBe('a canary sings');
      await expect(reading.sftp.remove(at('letter'), 'file')).rejects.toThrow(
        'This connection allows no changes by SFTP.',
      );
      expect(existsSync(join(folder, 'letter'))).toBe(true);
    });

    // promises: FILES-2
    it('are not opened, in words, where that is refused', async () => {
      await path.ask(named('shells'), path.server.secret({ CLIENT_MAY: 'shell' }));
      for (const [connection, more, words] of [
        [named('shells'), {}, 'This connection allows no file transfers by SFTP.'],
        ['nowhere', {}, 'There is no connection named nowhere.'],
        [
          'server',
          { person: 'somebody' },
          'Somebody else signed in at this browser: this page is not theirs.',
        ],
      ] as const) {
        const { client, sftp } = await open(connection, more);
        await expect(sftp.begin()).rejects.toThrow('it is over');
        expect([client.said, client.end]).toEqual([[words], { exit_code: 254 }]);
      }
    });

    // promises: FILES-2
    it('wait for an approval where a rule asks for one, and end with the reason', async () => {
      await path.connect(named('reviewed'));
      await ruleForScripts(path.gateway, named('reviewed'));
      const { client, sftp } = await open(named('reviewed'));
      const home = sftp.begin();
      await client.hears(/reviews\/\S+/);
      const [, id = ''] = /reviews\/(\S+)/.exec(client.said.join('\n')) ?? [];
      await approve(path.gateway, id);
      expect(shown(await home)).toMatch(/^\//);
      const { body } = await path.gateway.call('admin', 'GET', '/sessions?status=open');
      await path.gateway.call('admin', 'POST', `/sessions/${body.data[0].id}/kill`);
      await client.ended();
      expect(client.said.at(-1)).toBe('The session was ended by admin@example.com.');
      expect(client.end).toEqual({ exit_code: 254 });
    });

    // promises: FILES-2
    it('are blocked by a rule for what is written, of which nothing arrives', async () => {
      const { sftp } = await begun(await under({ input: blockWord('canary', 'No canaries.') }));
      await expect(sftp.write(at('file'), new Blob(['a canary sings']), 'create', nothing)).rejects.toThrow(
        'No canaries.',
      );
      expect(await readFile(join(folder, 'file'), 'utf8')).toBe('');
    });

    // promises: FILES-3
    it.each<[string, (client: PageClient) => void]>([
      ['the size of a terminal', (client) => client.tell({ type: 'resize', columns: 80, rows: 24 })],
      ['text that is no message', (client) => client.socket.send('{')],
      ['bytes that are no packet', (client) => client.type(Buffer.alloc(100, 0xff))],
      ['a packet of no length', (client) => client.type(Buffer.alloc(4))],
      [
        'more than was granted',
        (client) => {
          // The first packet never ends.
          client.type(Buffer.from([0, 3, 0xff, 0xff, 3]));
          for (let index = 0; index < 100; index += 1) client.type(Buffer.alloc(16_384, 1));
        },
      ],
    ])('end at %s, and the gateway serves on', async (_, attack) => {
      const { client } = await begun();
      attack(client);
      await client.ended();
      expect(await path.lastSession()).toMatchObject({ status: 'done' });
      const { sftp } = await begun();
      expect((await sftp.list(textBytes(folder))).entries).toEqual([]);
    });

    // promises: FILES-3
    it('are open to no page of another origin, and to no program', async () => {
      const before = (await path.sessions()).length;
      const { origin } = new URL(path.gateway.api);
      for (const headers of [
        { cookie: alice.cookie, origin: 'https://evil.example.com' },
        { cookie: alice.cookie },
        { origin },
        { authorization: `Bearer ${await path.gateway.token('alice')}`, origin },
      ] as Record<string, string>[])
        expect(await PageClient.connect(path.gateway, 'server', headers, '/file-transfers')).toBe(401);
      expect((await path.sessions()).length).toBe(before);
    });
  }),
);
