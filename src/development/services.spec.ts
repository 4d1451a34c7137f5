import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, readEnvironment } from '../platform/config/environment';
import { needsDevelopmentServices } from './needed';
import { startDevelopmentServices } from './services';

const GIVEN = {
  DATABASE_URL: 'postgres://gateway@db.example.com/gateway',
  IDP_ISSUER: 'https://login.example.com',
  IDP_CLIENT_ID: 'gateway',
};

/** The private address of a development service is allowed only if this service was started. */
describe('the development services', () => {
  it('open no private address beside a database that was given', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'development-services-'));
    const services = await startDevelopmentServices(readEnvironment({ ...GIVEN, DATA_DIR: folder }));
    try {
      expect(services.demo).toBeUndefined();
      expect(Object.keys(services.provided)).toEqual(['SECRET_KEY']);
    } finally {
      await services.stop();
      await rm(folder, { recursive: true });
    }
  });

  it('do not start in production, whatever is missing', () => {
    const production = { ...GIVEN, SECRET_KEY: Buffer.alloc(32).toString('base64'), NODE_ENV: 'production' };
    expect(needsDevelopmentServices(readEnvironment(production))).toBe(false);
    for (const missing of Object.keys(GIVEN).concat('SECRET_KEY'))
      expect(() => readEnvironment({ ...production, [missing]: '' })).toThrow(ConfigurationError);
  });
});
