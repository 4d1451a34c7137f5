import { PassThrough, Readable } from 'node:stream';
import { collected } from './collected';

describe('the bytes of a stream', () => {
  it('are collected to its end', async () => {
    const parts = ['one ', 'two ', 'three'].map((text) => Buffer.from(text));
    expect(String(await collected(Readable.from(parts, { objectMode: false }), 13))).toBe('one two three');
    expect(await collected(Readable.from([], { objectMode: false }), 13)).toHaveLength(0);
  });

  it('are not collected beyond the limit: the rest stays in the stream', async () => {
    const stream = new PassThrough();
    for (let n = 0; n < 5; n += 1) stream.write(Buffer.alloc(10));
    expect(await collected(stream, 29)).toBeUndefined();
    expect(stream.destroyed).toBe(false);
    stream.end();
    let rest = 0;
    for await (const chunk of stream) rest += (chunk as Buffer).length;
    expect(rest).toBeGreaterThan(0);
    // An error of a stream that is no longer read must not end the process.
    const broken = new PassThrough();
    broken.write(Buffer.alloc(10));
    expect(await collected(broken, 1)).toBeUndefined();
    broken.destroy(new Error('too late'));
    await new Promise((resolve) => broken.once('close', resolve));
  });

  it('are none when the stream breaks, before or meanwhile', async () => {
    const stream = new PassThrough();
    stream.write(Buffer.alloc(10));
    const broken = collected(stream, 100);
    stream.destroy(new Error('reset'));
    await expect(broken).rejects.toThrow('reset');
    await expect(collected(stream, 100)).rejects.toThrow('reset');
    const closed = new PassThrough();
    const short = collected(closed, 100);
    closed.destroy();
    await expect(short).rejects.toThrow('closed before its end');
  });

  it('of a stream that was read are none', async () => {
    const stream = Readable.from([Buffer.from('x')], { objectMode: false });
    await collected(stream, 10);
    expect(await collected(stream, 10)).toHaveLength(0);
  });
});
