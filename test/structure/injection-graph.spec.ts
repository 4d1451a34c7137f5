import { join } from 'node:path';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../../src/process/app.module';
import { readEnvironment } from '../../src/platform/config/environment';
import { completeSettings } from '../../src/platform/config/settings';
import { ServerCertificate } from '../../src/platform/tls/server-certificate';
import { foldersOfClasses, injectionsOf, knotsIn, widerThan } from '../support/injection-graph';
import { ROOT } from '../support/root';

const folders = foldersOfClasses(join(ROOT, 'src'));

/** Nest's preview mode reads all modules and instantiates nothing. */
function preview(module: unknown): Promise<INestApplicationContext> {
  const options = { preview: true, logger: false, abortOnError: false } as const;
  return NestFactory.createApplicationContext(module as never, options);
}

describe('the classes that are injected into each other', () => {
  const settings = completeSettings(readEnvironment({}), {
    DATABASE_URL: 'postgres://localhost/none',
    IDP_ISSUER: 'http://127.0.0.1',
    IDP_CLIENT_ID: 'none',
    SECRET_KEY: [],
  });

  it('form no cycle between modules', async () => {
    const injections = injectionsOf(
      await preview(AppModule.with(settings, new ServerCertificate(settings.tls))),
    );
    expect(knotsIn(injections, folders).join('\n\n')).toBe('');
    // Checks some edges, to show that the graph contains ports and the repositories of entities.
    expect(injections).toEqual(
      expect.arrayContaining([
        { from: 'Entrance', to: 'Grants' },
        { from: 'Gate', to: 'JournalingSessionRecorder' },
        { from: 'CredentialStore', to: 'ConnectionCredential' },
        { from: 'ReviewsController', to: 'ReviewRequests' },
      ]),
    );
  });

  it('are at most five for one class', async () => {
    const wide = widerThan(await preview(AppModule.with(settings, new ServerCertificate(settings.tls))), 5);
    expect(wide.filter((name) => folders.has(name))).toEqual([]);
  });

  it('would be found in a cycle through a port', async () => {
    abstract class Port {}
    @Injectable()
    class Keeper extends Port {}
    @Injectable()
    class Reader {
      constructor(readonly port: Port) {}
    }
    @Injectable()
    class List {}
    @Injectable()
    class Writer {
      constructor(readonly list: List) {}
    }
    @Module({ providers: [List, Reader, Writer, Keeper, { provide: Port, useExisting: Keeper }] })
    class Knotted {}
    const injections = injectionsOf(await preview(Knotted));
    const where = new Map([
      ['Reader', 'reading'],
      ['List', 'reading'],
      ['Keeper', 'keeping'],
      ['Writer', 'keeping'],
    ]);
    expect(knotsIn(injections, where)).toEqual([
      'keeping, reading:\n  keeping → reading: Writer → List\n  reading → keeping: Reader → Keeper',
    ]);
    expect(knotsIn(injections, new Map([...where, ['Writer', 'writing']]))).toEqual([]);
  });
});
