import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestGateway, startGateway } from '../../support/gateway';
import { freshEd25519 } from '../../support/ssh/public-keys';
import { CommandLine, type Ended } from './command-line';

// promises: SSHKEY-1
describe('public keys by the command line', () => {
  let gateway: TestGateway;
  const line = new CommandLine(() => gateway);
  const asAlice = async (...args: string[]): Promise<Ended> =>
    line.run(['keys', ...args], await line.as('alice'));
  const fileOf = (name: string, content: string): string => {
    const file = join(line.folder, name);
    writeFileSync(file, content);
    return file;
  };
  const names = async (): Promise<string[]> => {
    const { body } = await gateway.call('alice', 'GET', '/ssh-public-keys');
    return (body.data as { name: string }[]).map(({ name }) => name);
  };

  beforeAll(async () => {
    gateway = await startGateway();
  });

  afterAll(async () => {
    line.remove();
    await gateway.close();
  });

  it('are registered by their files, listed, and removed by name or id', async () => {
    const added = await asAlice('add', fileOf('id_ed25519.pub', `${freshEd25519().line}\n`));
    expect(added).toMatchObject({ code: 0, out: expect.stringMatching(/alice@laptop[^]*SHA256:/), err: '' });
    const other = fileOf('other.pub', freshEd25519().line);
    const expires = '2099-01-31T08:00:00Z';
    expect((await asAlice('add', other, '--name', 'desk', '--expires', expires)).out).toContain('2099-01-31');
    const listed = await asAlice('list');
    expect(listed.out).toMatch(/^ID +NAME +TYPE[^]*desk +ssh-ed25519[^]*alice@laptop +ssh-ed25519/);
    const ofAlice = await line.run(['--output', 'json', 'keys', 'list', '--user', 'alice']);
    const found = JSON.parse(ofAlice.out) as { id: string; name: string }[];
    const id = found.find(({ name }) => name === 'desk')?.id;
    expect((await asAlice('remove', id ?? '')).code).toBe(0);
    expect(await names()).toEqual(['alice@laptop']);
    expect((await asAlice('remove', 'alice@laptop')).code).toBe(0);
    expect(await names()).toEqual([]);
    expect(await asAlice('remove', 'alice@laptop')).toMatchObject({
      code: 66,
      err: expect.stringMatching(/no public key named/),
    });
  });

  it('are not sent where the file has a private key, nor taken where it has none', async () => {
    const { privateKey, line: publicLine } = freshEd25519();
    const before = await gateway.call('admin', 'GET', '/audit/logs?resource_type=ssh-public-keys');
    const refused = await asAlice('add', fileOf('id_ed25519', privateKey));
    expect(refused).toMatchObject({ code: 64, err: expect.stringMatching(/private key, and was not sent/) });
    expect(refused.err).not.toContain(privateKey.split('\n')[1]);
    const after = await gateway.call('admin', 'GET', '/audit/logs?resource_type=ssh-public-keys');
    expect(after.body.data).toEqual(before.body.data);
    const nameless = publicLine.split(' ').slice(0, 2).join(' ');
    expect(await asAlice('add', fileOf('nameless.pub', nameless))).toMatchObject({
      code: 64,
      err: expect.stringMatching(/--name/),
    });
    const other = await asAlice('add', fileOf('notes.txt', 'some text of mine'), '--name', 'x');
    expect(other).toMatchObject({ code: 64, err: expect.stringMatching(/no public key of OpenSSH/) });
    expect(await names()).toEqual([]);
  });
});
