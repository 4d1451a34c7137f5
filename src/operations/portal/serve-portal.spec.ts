import { once } from 'node:events';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { serveFiles } from './serve-portal';

describe('files of the portal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'portal-'));
  let server: Server;

  beforeAll(async () => {
    mkdirSync(join(folder, 'assets'));
    for (const name of ['kept.js', 'gone.js']) writeFileSync(join(folder, 'assets', name), 'export {};');
    server = createServer(express().use(serveFiles(folder)));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    server.close();
    await once(server, 'close');
    rmSync(folder, { recursive: true });
  });

  const answerTo = (name: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/assets/${name}`, { headers });
  const ask = (name: string) => answerTo(name).then((answer) => answer.text());

  it('that are gone, because another version was installed over this one, end the request and not the process', async () => {
    expect(await ask('gone.js')).toBe('export {};');
    rmSync(join(folder, 'assets', 'gone.js'));
    await expect(ask('gone.js')).rejects.toThrow(TypeError);
    expect(await ask('kept.js')).toBe('export {};');
  });

  it.each([
    'bytes=0-0',
    'bytes=3-1',
    'bytes=-4',
    'bytes=4-',
    'bytes=99-',
    'bytes=0-99999999999999999999999',
    'bytes=0-1,3-4',
    'bytes=a-b',
    'items=0-1',
    '-',
  ])('are whole, whatever part is asked for: %s', async (range) => {
    const answer = await answerTo('kept.js', { range });
    expect([answer.status, answer.headers.get('content-range'), await answer.text()]).toEqual([
      200,
      null,
      'export {};',
    ]);
  });
});
