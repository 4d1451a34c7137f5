import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { NestExpressApplication } from '@nestjs/platform-express';
import express from 'express';
import { PinoLogger } from 'nestjs-pino';
import { eventually } from '../../../../test/support/eventually';
import { logRequests, markLines, requestOfThisLine } from './request-log';

/**
 * Delay of a late log line: longer than `LATE_LINES_MS`, after which the unused AsyncLocalStorage is
 * disabled.
 */
const LATE_MS = 1_500;

/**
 * Expected request path in a late log line. Since Node.js 24 (AsyncContextFrame), a late line keeps its
 * request even after the AsyncLocalStorage was disabled.
 */
const LATE_PATH = Number(process.versions.node.split('.')[0]) < 24 ? undefined : '/goes-on';

describe('a line of a request', () => {
  let server: Server;
  let slowEnd: AbortController;
  let probeStatus: number;
  /** Request paths that the log lines had, with the times when the lines were written. */
  let said: { at: 'once' | 'soon' | 'late'; path: string | undefined }[];

  const say = (at: 'once' | 'soon' | 'late', to = said): unknown =>
    to.push({ at, path: requestOfThisLine().req?.path });
  const get = async (path: string): Promise<void> => {
    const { port } = server.address() as AddressInfo;
    await (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  };

  const logger = new PinoLogger({ pinoHttp: { level: 'silent' } });

  beforeEach(async () => {
    said = [];
    slowEnd = new AbortController();
    // Sets the root logger, as the logger's module does.
    Object.assign(PinoLogger, { root: logger.logger });
    const app = express();
    logRequests(app as unknown as NestExpressApplication, '/api');
    app.get('/before', (_, response) => {
      say('once');
      response.end();
    });
    app.use(markLines);
    app.get('/goes-on', async (_, response) => {
      // Keeps the list of its own test, because the last request of a test continues during the next test.
      const mine = said;
      response.end();
      say('once', mine);
      await delay(100);
      say('soon', mine);
      await delay(LATE_MS, undefined, { ref: false });
      say('late', mine);
    });
    app.get(['/api/healthz', '/api/readyz', '/api/connections/:name'], (_, response) => {
      say('once');
      response.status(probeStatus).end();
    });
    app.get('/slow', async (_, response) => {
      if (!slowEnd.signal.aborted) await once(slowEnd.signal, 'abort');
      response.end();
    });
    server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  it('names its request while requests are open, and shortly after', async () => {
    const slow = get('/slow');
    await get('/goes-on');
    await eventually('all is said', async () => said.length === 3);
    slowEnd.abort();
    expect(said).toEqual(['once', 'soon', 'late'].map((at) => ({ at, path: '/goes-on' })));
    await slow;
  });

  it('does not name a request that is answered before lines are marked', async () => {
    await get('/before');
    expect(said).toEqual([{ at: 'once', path: undefined }]);
  });

  it.each(['/api/healthz', '/api/readyz'])('names the probe %s while it is answered', async (path) => {
    probeStatus = 200;
    await get(path);
    expect(said).toEqual([{ at: 'once', path }]);
  });

  it('is not written when the logger is gone, and throws nothing', async () => {
    const thrown: unknown[] = [];
    const note = (error: unknown): unknown => thrown.push(error);
    process.on('uncaughtException', note);
    try {
      const slow = get('/slow').catch(() => undefined);
      await once(server, 'request');
      Object.assign(PinoLogger, { root: undefined });
      server.closeAllConnections();
      await slow;
      await delay(50);
    } finally {
      process.off('uncaughtException', note);
    }
    expect(thrown).toEqual([]);
  });

  it.each(['healthz', 'readyz'])('is not written for the probe %s, unless it fails', async (probe) => {
    const lines: [string, number][] = [];
    const info = (end: { req: { path: string }; res: { statusCode: number } }): unknown =>
      lines.push([end.req.path, end.res.statusCode]);
    Object.assign(PinoLogger, { root: { info } });
    probeStatus = 200;
    await get(`/api/${probe}`);
    await get(`/api/connections/${probe}`);
    probeStatus = 503;
    await get(`/api/${probe}`);
    await eventually('all is logged', async () => lines.length >= 2);
    expect(lines).toEqual([
      [`/api/connections/${probe}`, 200],
      [`/api/${probe}`, 503],
    ]);
  });

  it('costs nothing while no request is open: promises are not tracked', async () => {
    await get('/goes-on');
    await eventually('all is said', async () => said.length === 3);
    expect(said.map(({ path }) => path)).toEqual(['/goes-on', '/goes-on', LATE_PATH]);
    await get('/goes-on');
    expect(said.at(-1)).toEqual({ at: 'once', path: '/goes-on' });
  });
});
