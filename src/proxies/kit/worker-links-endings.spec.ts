import { type LinkedWorker, LinkedWorkers, askWorker } from '../../../test/support/linked-workers';

// promises: WORKER-4
describe('a stream of another worker, when this one stops, ends', () => {
  const TEXT = `id: 1\ndata: {"a":"\u00fc"}\n\n:\n\nid: 2\ndata: \n\ndata: {"b":"c"}\n\n`;
  const BYTES = Buffer.from(TEXT);
  /** Byte offsets at which a server-sent event ends. */
  const BETWEEN = [...TEXT.matchAll(/\n\n/g)].map(({ index }) => Buffer.byteLength(TEXT.slice(0, index + 2)));

  let workers: LinkedWorkers;
  let here: LinkedWorker;
  let there: LinkedWorker;

  beforeEach(async () => {
    workers = await LinkedWorkers.open();
    here = await workers.begin();
    there = await workers.begin();
  });
  afterEach(() => workers.close());

  const ask = (): Promise<Response> => askWorker(here, there.links.named('id'), { method: 'GET' });

  /**
   * Delivers the bytes before `at`, stops the worker `here`, then sends the rest in chunks of `size` bytes.
   */
  async function stopped(at: number, size: number): Promise<string> {
    await workers.end(here);
    here = await workers.begin();
    let rest = (): void => undefined;
    there.handle = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.flushHeaders();
      response.write(BYTES.subarray(0, at));
      rest = () => {
        for (let from = at; from < BYTES.length; from += size)
          response.write(BYTES.subarray(from, from + size));
      };
    };
    const answer = await ask();
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const parts: Uint8Array[] = [];
    let length = 0;
    while (length < at) {
      const { value = new Uint8Array() } = await reader.read();
      length += value.length;
      parts.push(value);
    }
    here.links.onModuleDestroy();
    rest();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      parts.push(value);
    }
    return Buffer.concat(parts).toString();
  }

  it.each([1, 2, 3, BYTES.length])('after a whole event, wherever it is (rest by %d)', async (size) => {
    for (let at = 0; at <= BYTES.length; at += 1) {
      const end = at === 0 ? 0 : (BETWEEN.find((place) => place >= at) ?? 0);
      expect([at, await stopped(at, size)]).toEqual([at, BYTES.toString('utf8', 0, end)]);
    }
  });

  it('empty where it has not begun', async () => {
    let begin = (): void => undefined;
    const asked = new Promise<void>((resolve) => {
      there.handle = (_asked, response) => {
        begin = () => {
          response.writeHead(200, { 'content-type': 'text/event-stream', 'x-head': 'passed' });
          response.write(BYTES);
        };
        resolve();
      };
    });
    const answer = ask();
    await asked;
    here.links.onModuleDestroy();
    begin();
    expect((await answer).headers.get('x-head')).toBe('passed');
    expect(await (await answer).text()).toBe('');
  });

  it('by breaking it off where the rest of an event does not come', async () => {
    let cut = (): void => undefined;
    there.handle = (_asked, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(BYTES.subarray(0, 5));
      cut = () => response.destroy();
    };
    const reader = ((await ask()).body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    here.links.onModuleDestroy();
    cut();
    await expect(reader.read()).rejects.toThrow('terminated');
  });

  it('alone, and other answers to GET are whole', async () => {
    let rest = (): void => undefined;
    there.handle = (_asked, response) => {
      response.writeHead(404, { 'content-type': 'application/json', 'content-length': '2' });
      response.write('{');
      rest = () => response.end('}');
    };
    const answer = await ask();
    here.links.onModuleDestroy();
    rest();
    expect(await answer.text()).toBe('{}');
  });
});
