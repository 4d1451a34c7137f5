import { Client } from 'pg';
import { readEnvironment } from '../../platform/config/environment';
import type { TlsSettings } from '../../platform/config/groups';
import { completeSettings } from '../../platform/config/settings';
import { connectionString } from '../contract/client-endpoint';
import { postgresClients } from './client-endpoint';

const settings = completeSettings(
  readEnvironment({ POSTGRES_PROXY_HOST: 'pg.example.com', POSTGRES_PROXY_PORT: '15432' }),
  {
    DATABASE_URL: 'postgres://127.0.0.1/none',
    IDP_ISSUER: 'https://issuer.example.com',
    IDP_CLIENT_ID: 'none',
    SECRET_KEY: [Buffer.alloc(32)],
    JOURNAL_DIR: 'none',
  },
);
const LOGIN = { username: '5b0c', password: 'a-b_C9', database: 'pg-prod' };
const AT = { variable: 'POSTGRES_PROXY_PORT', hostVariable: 'POSTGRES_PROXY_HOST', isTls: false } as const;

const stringAt = (host: string, more: Partial<typeof LOGIN & { isTls: boolean; port: number }> = {}) => {
  const { isTls = false, port = 15_432, ...login } = more;
  return connectionString(postgresClients, { ...AT, host, port, isTls }, { ...LOGIN, ...login });
};

describe('the address that a client is given', () => {
  it('names host and port as drivers read it', () => {
    const text = stringAt('db.example.com');
    expect(text).toBe('postgres://5b0c:a-b_C9@db.example.com:15432/pg-prod?sslmode=disable');
    expect(new Client(text)).toMatchObject({
      host: 'db.example.com',
      port: 15_432,
      user: '5b0c',
      password: 'a-b_C9',
      database: 'pg-prod',
      ssl: false,
    });
  });

  it('puts an IPv6 address into brackets', () => {
    expect(stringAt('::1')).toContain('@[::1]:15432/');
  });

  it('asks for TLS where the gateway speaks it', () => {
    expect(stringAt('h', { isTls: true })).toMatch(/\?sslmode=require$/);
    expect(stringAt('h')).toMatch(/\?sslmode=disable$/);
  });

  it('leaves an @ in the database as it is, which all drivers read alike', () => {
    const text = stringAt('h', { port: 1, database: 'a@b' });
    expect(text).toMatch(/@h:1\/a@b\?/);
    expect(new Client(text)).toMatchObject({ host: 'h', port: 1, database: 'a@b' });
  });

  it('can be pasted between quotes, whatever the database is called', () => {
    const database = `O'Brien "x" $(id) \`id\`; !1 \\ & | > * ~ # ? / % é 名`;
    const text = stringAt('h', { port: 1, database });
    expect(text).toMatch(/^[\w.~%:/@?=-]+$/);
    // libpq decodes the path of the connection string to get the name of the database.
    expect(decodeURIComponent(new URL(text).pathname)).toBe(`/${database}`);
    expect(new Client(text.replaceAll(/%(?!27|28|29)../g, ''))).toMatchObject({
      database: expect.stringMatching(/^O'Brien.*\(id\)/),
    });
  });
});

describe('the port for PostgreSQL clients', () => {
  const port = (tls: Partial<TlsSettings>) =>
    postgresClients.port({ ...settings, tls: { ...settings.tls, ...tls } });

  it('has the host that the settings name for clients', () => {
    expect(port({ cert: undefined })).toMatchObject({ host: 'pg.example.com', port: 15_432, isTls: false });
  });

  it('speaks TLS if there is a certificate, and TLS_PORTS names it', () => {
    expect(port({ cert: 'PEM', ports: ['rest', 'postgres'] }).isTls).toBe(true);
    expect(port({ cert: 'PEM', ports: ['rest'] }).isTls).toBe(false);
    expect(port({ cert: undefined, ports: ['postgres'] }).isTls).toBe(false);
  });
});
