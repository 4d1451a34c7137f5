import { join } from 'node:path';
import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ConfigModule } from './config.module';
import { ConfigurationError, readEnvironment } from './environment';
import { groupClasses, groups } from './groups';
import { Settings, completeSettings } from './settings';
import { variables } from './variables';

describe('completeSettings', () => {
  const provided = {
    DATABASE_URL: 'postgres://x/y',
    IDP_ISSUER: 'http://i',
    IDP_CLIENT_ID: 'c',
    SECRET_KEY: [],
  };

  it('derives what follows from the rest', () => {
    expect(completeSettings(readEnvironment({ PORT: '9000' }), provided)).toMatchObject({
      http: { apiUrl: 'http://127.0.0.1:9000' },
      identityProvider: { audience: 'c' },
      database: { url: 'postgres://x/y' },
      recorder: { journalDir: join('.data', 'journal') },
    });
    expect(completeSettings(readEnvironment({ HOST: '::1' }), provided).http.apiUrl).toBe(
      'http://[::1]:8009',
    );
    expect(completeSettings({ ...readEnvironment({}), TLS_CERT: 'PEM' }, provided).http.apiUrl).toBe(
      'https://127.0.0.1:8009',
    );
    expect(
      completeSettings({ ...readEnvironment({ TLS_PORTS: 'postgres' }), TLS_CERT: 'PEM' }, provided).http
        .apiUrl,
    ).toBe('http://127.0.0.1:8009');
    expect(
      completeSettings(readEnvironment({ API_URL: 'https://gw.example.com/' }), provided).http.apiUrl,
    ).toBe('https://gw.example.com');
  });

  it.each([
    [{ API_URL: 'https://gw.example.com:8443' }, 'gw.example.com'],
    [{ HOST: '::1' }, '::1'],
    [{ API_URL: 'https://gw.example.com', POSTGRES_PROXY_HOST: 'pg.example.com' }, 'pg.example.com'],
    [{ POSTGRES_PROXY_HOST: 'fe80::1' }, 'fe80::1'],
  ])('of %j, tells PostgreSQL clients %s', (given, host) => {
    expect(completeSettings(readEnvironment(given), provided).postgresProxy.host).toBe(host);
  });

  it.each([
    [{ API_URL: 'https://gw.example.com:8443' }, 'gw.example.com'],
    [{ API_URL: 'https://gw.example.com', SSH_PROXY_HOST: 'ssh.example.com' }, 'ssh.example.com'],
  ])('of %j, tells SSH clients %s', (given, host) => {
    expect(completeSettings(readEnvironment(given), provided).sshProxy.host).toBe(host);
  });

  it('has each variable in one group, but for those that are only read before there are settings', () => {
    const early = ['NODE_ENV', 'DATA_DIR', 'DEV_IDP_PORT'];
    const grouped = Object.values(groups).flatMap((names) => Object.values<string>(names));
    expect([...grouped, ...early].sort()).toEqual(Object.keys(variables.shape).sort());
  });

  it('can be injected whole, or each group by its class', async () => {
    const settings = completeSettings(readEnvironment({}), provided);
    @Module({ imports: [ConfigModule.with(settings)] })
    class Root {}
    const app = await NestFactory.createApplicationContext(Root, { logger: false });
    expect(app.get(Settings)).toBe(settings);
    for (const [name, token] of Object.entries(groupClasses))
      expect(app.get(token as Type)).toBe(settings[name as keyof Settings]);
    await app.close();
  });

  it('never goes on without a database, a provider and a key', () => {
    expect(() => completeSettings(readEnvironment({}))).toThrow(ConfigurationError);
  });
});
