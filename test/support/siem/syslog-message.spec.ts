import { OctetCounting, parseSyslog } from './syslog-message';

const GOOD =
  '<109>1 2026-11-24T06:00:00.000Z gw.example app - session.started [a@1 x="1\\"\\]\\\\" y="ü"] {"a":1}';

describe('the parser of RFC 5424', () => {
  it('reads a message', () => {
    expect(parseSyslog(Buffer.from(GOOD))).toEqual({
      facility: 13,
      severity: 5,
      timestamp: '2026-11-24T06:00:00.000Z',
      host: 'gw.example',
      app: 'app',
      procId: '-',
      msgId: 'session.started',
      structured: { 'a@1': { x: '1"]\\', y: 'ü' } },
      text: '{"a":1}',
    });
  });

  it.each([
    ['another version', GOOD.replace('>1 ', '>2 ')],
    ['a priority that there is not', GOOD.replace('109', '192')],
    ['a priority with a zero in front', GOOD.replace('109', '019')],
    ['a time without a zone', GOOD.replace('Z', '')],
    ['a missing field', GOOD.replace('app - ', 'app ')],
    ['structured data without an end', GOOD.replace('"] ', '" ')],
    ['a value with a bare quote', GOOD.replace('y="ü"', 'y="a"b"')],
    ['a value with a bare bracket', GOOD.replace('ü', ']')],
    ['a parameter twice', GOOD.replace('y=', 'x=')],
    ['no structured data', GOOD.replace(/\[.*\] /, '')],
  ])('refuses %s', (_, text) => {
    expect(() => parseSyslog(Buffer.from(text))).toThrow(/^no /);
  });

  it('refuses what is not UTF-8', () => {
    expect(() => parseSyslog(Buffer.from(GOOD, 'latin1'))).toThrow('not valid');
  });
});

describe('octet counting', () => {
  it('finds messages wherever the stream is cut', () => {
    const stream = Buffer.from('5 a\nb c11 hello world1 x');
    for (let cut = 0; cut <= stream.length; cut++) {
      const frames = new OctetCounting();
      const found = [...frames.take(stream.subarray(0, cut)), ...frames.take(stream.subarray(cut))];
      expect(found.map(String)).toEqual(['a\nb c', 'hello world', 'x']);
    }
  });

  it.each(['x', '05 hello', ' a', '12345678 a'])('refuses %j', (text) => {
    expect(() => new OctetCounting().take(Buffer.from(text))).toThrow(/^no length/);
  });
});
