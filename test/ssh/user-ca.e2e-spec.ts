import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { checkTargets } from '../../src/operations/doctor/targets-check';
import { examined } from '../../src/operations/doctor/examined';
import { rotateCommand } from '../../src/operations/key-rotation/rotate-command';
import { rotateUserCaCommand } from '../../src/operations/key-rotation/rotate-user-ca';
import { startGateway } from '../support/gateway';
import { scoped } from '../support/scoped';
import { columnsSealedBy } from '../support/sealed-columns';
import { describeWithSshd } from '../support/ssh/open-ssh-server';
import { startSshPath } from '../support/ssh/ssh-path';

// promises: SSH-13
describeWithSshd(
  'the user CA',
  scoped((begin) => {
    const secretKey = randomBytes(32).toString('base64');
    const path = begin(() => startSshPath({ environment: { SECRET_KEY: secretKey } }));
    const linesOf = async (gateway = path.gateway): Promise<string[]> => {
      const { text } = await gateway.call(null, 'GET', '/ssh/user-ca.pub');
      return text.split('\n').filter((line) => line !== '');
    };
    const env = () => ({ DATABASE_URL: path.gateway.database.url, SECRET_KEY: secretKey });
    const rotateCa = async (...args: string[]) => {
      const printed: string[] = [];
      const code = await rotateUserCaCommand(args, env(), (line) => printed.push(line));
      return { code, printed: printed.join('\n') };
    };
    const doctor = async () => {
      const database = path.gateway.app.get(DataSource);
      const found = await checkTargets(database, examined({ ...path.gateway.variables }));
      return found.map(({ message }) => message).join('\n');
    };

    beforeAll(async () => {
      const secret = path.server.secret({ AUTH: 'certificate', PRIVATE_KEY: '' });
      expect((await path.ask('by-certificate', secret)).status).toBe(201);
    });

    it('is made when it is first needed, and not by the doctor, which signs in by it afterwards', async () => {
      expect(await doctor()).toContain('Connection by-certificate: there is no user CA yet');
      expect(await path.gateway.database.query('SELECT FROM ssh_user_ca_keys')).toEqual([]);
      const [line = ''] = await linesOf();
      expect(await doctor()).toContain('The server refused the certificate');
      path.server.trustCas(`${line}\n`);
      expect(await doctor()).toBe('All 2 targets answer.');
      expect(path.server.log()).toContain('ID "doctor test connection by-certificate" (serial ');
    });

    it('is one key, also when several gateways need it at the same moment', async () => {
      await path.gateway.database.query('DELETE FROM ssh_user_ca_keys');
      const all = await Promise.all(Array.from({ length: 8 }, () => linesOf()));
      expect(new Set(all.flat()).size).toBe(1);
    });

    it('is sealed, and stays the same when SECRET_KEY is rotated', async () => {
      const before = await linesOf();
      expect(await columnsSealedBy(path.gateway.database, secretKey)).toContain('ssh_user_ca_keys.secret');
      const fresh = randomBytes(32).toString('base64');
      const rotate = async (keys: string) => {
        const printed: string[] = [];
        const said = (line: string): void => void printed.push(line);
        const { signal } = new AbortController();
        expect(await rotateCommand({ ...env(), SECRET_KEY: keys }, signal, said)).toBe(0);
        return printed;
      };
      expect(await rotate(`${fresh},${secretKey}`)).toContain('ssh_user_ca_keys: 1 of 1 sealed anew');
      const rotated = await startGateway({ environment: { SECRET_KEY: fresh }, beside: path.gateway });
      expect(await linesOf(rotated)).toEqual(before);
      path.server.trustCas(before.join('\n'));
      const { body } = await rotated.call('admin', 'GET', '/connections/by-certificate/test');
      expect(body).toMatchObject({ success: true });
      await rotated.close();
      await rotate(`${secretKey},${fresh}`);
    });

    it('is replaced in two steps, while servers that know both keys go on', async () => {
      const [old = ''] = await linesOf();
      expect(await rotateCa('user-ca', 'finish')).toEqual({ code: 2, printed: 'No rotation has begun.' });
      const begun = await rotateCa('user-ca', 'begin');
      expect([begun.code, begun.printed]).toEqual([0, expect.stringContaining('rotate-keys user-ca finish')]);
      expect(await rotateCa('user-ca', 'begin')).toMatchObject({ code: 2 });
      const [first, next = '', ...others] = await linesOf();
      expect([first, others]).toEqual([old, []]);
      expect(next).not.toBe(old);

      // The old key signs: a server that knows it alone goes on.
      path.server.trustCas(`${old}\n`);
      expect(await path.test('by-certificate')).toMatchObject({ success: true });
      path.server.trustCas(`${old}\n${next}\n`);
      expect(await rotateCa('user-ca', 'finish')).toMatchObject({ code: 0 });
      expect(await linesOf()).toEqual([next]);
      expect(await path.test('by-certificate')).toMatchObject({ success: true });
      path.server.trustCas(`${old}\n`);
      expect(await path.test('by-certificate')).toMatchObject({ success: false });
      const { body } = await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=ssh-user-ca');
      expect(body.data).toHaveLength(2);
    });

    it('is not replaced by a mistyped command', async () => {
      for (const args of [['user-ca'], ['user-ca', 'end'], ['begin'], ['user-ca', 'begin', 'finish']])
        expect(await rotateCa(...args)).toEqual({
          code: 2,
          printed: expect.stringContaining('user-ca begin'),
        });
      expect(await linesOf()).toHaveLength(1);
    });
  }),
);
