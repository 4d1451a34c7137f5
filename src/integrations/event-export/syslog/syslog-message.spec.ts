import { assert, property, string } from '../../../../test/support/fast-check';
import { parseSyslog } from '../../../../test/support/siem/syslog-message';
import type { ExportedEvent } from '../contract/exported-event';
import { MESSAGE_BYTES, STRUCTURED_DATA_ID, syslogMessage } from './syslog-message';

const ORIGIN = { host: 'gw.example.com', app: 'access-gateway' };

function eventWith(more: Partial<ExportedEvent>): ExportedEvent {
  return {
    id: 'f2c6a1de-0000-4000-8000-000000000001',
    position: 7,
    orgId: 'o',
    type: 'audit.recorded',
    at: new Date('2026-11-24T06:00:00.123Z'),
    severity: 'notice',
    summary: 'update guardrails: success',
    facts: {},
    data: {},
    ...more,
  };
}

/** Counts the bytes of a parameter value in the message, where quotes, backslashes and `]` are escaped. */
const bytesOf = (shown: string): number => Buffer.byteLength(shown.replaceAll(/["\\\]]/g, '\\$&'));

describe('a syslog message', () => {
  it('is what RFC 5424 has', () => {
    const message = syslogMessage(eventWith({ facts: { actor: 'a"]\\b' }, data: { name: 'ü\n' } }), ORIGIN);
    expect(message.toString()).toBe(
      '<109>1 2026-11-24T06:00:00.123Z gw.example.com access-gateway - audit.recorded ' +
        '[gateway@32473 id="f2c6a1de-0000-4000-8000-000000000001" position="7" org="o" actor="a\\"\\]\\\\b"] ' +
        '{"name":"\\u00fc\\u000a"}'.replace('\\u000a', '\\n'),
    );
  });

  it('can be read by a strict parser, whatever texts people chose', () => {
    const text = string({ unit: 'binary', maxLength: 400 });
    assert(
      property(text, text, text, (host, name, value) => {
        const others = Array.from({ length: 20 }, (_, place) => [`name_of_a_fact_${place}`, value]);
        const facts = { name, ...Object.fromEntries(others) };
        const message = syslogMessage(eventWith({ facts, data: { name, value } }), { host, app: name });
        const { structured, text: json } = parseSyslog(message);
        expect(message.length).toBeLessThanOrEqual(MESSAGE_BYTES);
        const whole = name.toWellFormed().replaceAll(/\p{Cc}/gu, '\u{FFFD}');
        const shown = structured[STRUCTURED_DATA_ID]?.['name'] ?? '';
        expect(whole.startsWith(shown)).toBe(true);
        const [next = ''] = whole.slice(shown.length);
        if (next !== '') expect(bytesOf(shown + next)).toBeGreaterThan(256);
        expect(bytesOf(shown)).toBeLessThanOrEqual(256);
        expect([
          { name, value },
          { summary: 'update guardrails: success', shortened: true },
        ]).toContainEqual(JSON.parse(json));
      }),
      {
        examples: [
          ['', '', ''],
          [' ', '\uFEFF\uFFFD', '\0'],
          ['"', '\\]"'.repeat(90), ']'],
          ['é', `${'x'.repeat(255)}😀`, '\u2028'],
        ],
      },
    );
  });

  it('names only the fields of changes that are too long, and then only the summary', () => {
    const changes = [{ field: 'input', before: null, after: 'x'.repeat(10_000) }];
    const short = syslogMessage(eventWith({ data: { seq: 1, changes } }), ORIGIN);
    expect(JSON.parse(parseSyslog(short).text)).toEqual({
      seq: 1,
      changed_fields: ['input'],
      shortened: true,
    });
    const summary = syslogMessage(eventWith({ data: { reason: 'x'.repeat(10_000) } }), ORIGIN);
    expect(JSON.parse(parseSyslog(summary).text)).toEqual({
      summary: 'update guardrails: success',
      shortened: true,
    });
  });
});
