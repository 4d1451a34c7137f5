import { Client } from 'pg';
import type { TlsSettings } from '../../platform/config/groups';
import { clientAddress } from './client-address';

const WITHOUT: Pick<TlsSettings, 'cert' | 'ports'> = { cert: undefined, ports: ['postgres'] };

describe('the address that a client is given', () => {
  const client = { username: '5b0c', password: 'a-b_C9', database: 'pg-prod' };
  const given = ({ host }: { host: string }, tls: Pick<TlsSettings, 'cert' | 'ports'> = WITHOUT) =>
    clientAddress({ port: 15_432, host }, tls, client);

  it('names host and port in parts and as a whole, as drivers read it', () => {
    const view = given({ host: 'db.example.com' });
    expect(view).toEqual({
      hostname: 'db.example.com',
      port: 15_432,
      username: '5b0c',
      password: 'a-b_C9',
      database_name: 'pg-prod',
      connection_string: 'postgres://5b0c:a-b_C9@db.example.com:15432/pg-prod?sslmode=disable',
    });
    expect(new Client(view.connection_string)).toMatchObject({
      host: 'db.example.com',
      port: 15_432,
      user: '5b0c',
      password: 'a-b_C9',
      database: 'pg-prod',
      ssl: false,
    });
  });

  it('puts an IPv6 address into brackets, but not where it stands alone', () => {
    expect(given({ host: '::1' })).toMatchObject({
      hostname: '::1',
      connection_string: expect.stringContaining('@[::1]:15432/'),
    });
  });

  it('asks for TLS where the gateway speaks it', () => {
    const at = (ports: TlsSettings['ports']) =>
      given({ host: 'h' }, { cert: 'PEM', ports }).connection_string;
    expect(at(['rest', 'postgres'])).toMatch(/\?sslmode=require$/);
    expect(at(['rest'])).toMatch(/\?sslmode=disable$/);
  });

  it('leaves an @ in the database as it is, which all drivers read alike', () => {
    const { connection_string } = clientAddress({ host: 'h', port: 1 }, WITHOUT, {
      ...client,
      database: 'a@b',
    });
    expect(connection_string).toMatch(/@h:1\/a@b\?/);
    expect(new Client(connection_string)).toMatchObject({ host: 'h', port: 1, database: 'a@b' });
  });

  it('can be pasted between quotes, whatever the database is called', () => {
    const database = `O'Brien "x" $(id) \`id\`; !1 \\ & | > * ~ # ? / % é 名`;
    const { connection_string } = clientAddress({ host: 'h', port: 1 }, WITHOUT, { ...client, database });
    expect(connection_string).toMatch(/^[\w.~%:/@?=-]+$/);
    // As libpq reads it.
    expect(decodeURIComponent(new URL(connection_string).pathname)).toBe(`/${database}`);
    expect(new Client(connection_string.replaceAll(/%(?!27|28|29)../g, ''))).toMatchObject({
      database: expect.stringMatching(/^O'Brien.*\(id\)/),
    });
  });
});
