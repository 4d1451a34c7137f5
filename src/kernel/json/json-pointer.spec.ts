import * as fc from '../../../test/support/fast-check';
import { read } from '../../../test/support/json/documents';
import { pointerPart, pointerParts, valueAt } from './json';

describe('a JSON pointer', () => {
  // The example of RFC 6901, section 5.
  const document =
    '{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\\\j":5,"k\\"l":6," ":7,"m~n":8}';
  it.each([
    ['/foo/0', 'bar'],
    ['/', 0],
    ['/a~1b', 1],
    ['/c%d', 2],
    ['/e^f', 3],
    ['/g|h', 4],
    ['/i\\j', 5],
    ['/k"l', 6],
    ['/ ', 7],
    ['/m~0n', 8],
    ['/foo/2', undefined],
    ['/foo/01', undefined],
    ['/foo/-', undefined],
    ['/foo/length', undefined],
    ['/foo/0/0', undefined],
    ['/constructor', undefined],
  ])('%j leads to %j', (pointer, value) => {
    expect(valueAt(read(document), pointerParts(pointer) as string[])).toBe(value);
  });

  it('of no text leads to the whole value', () => {
    expect(valueAt(read(document), pointerParts('') as string[])).toEqual(read(document));
  });

  it.each(['a', 'a/b', '#/a', '/~', '/~2', '/a~', ' /a'])('%j is none', (text) => {
    expect(pointerParts(text)).toBeUndefined();
  });

  it('is undone part by part', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (parts) => {
        expect(pointerParts(parts.map((part) => `/${pointerPart(part)}`).join(''))).toEqual(parts);
      }),
    );
  });
});
