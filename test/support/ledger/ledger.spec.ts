import type { RecordedEvent } from './chunks';
import { Ledger } from './ledger';
import { type Script, inputOf, outputOf } from './scripts';
import type { SessionEvidence } from './session-findings';

const rows: Script = { marker: 'mark-a-1-1', kind: 'rows', size: 5 };
const other: Script = { marker: 'mark-a-1-2', kind: 'sleep', size: 900 };
const none = { lost: 0, duplicated: 0, torn: 0, left_open: 0 };

const input = (script: Script): RecordedEvent => ({ type: 'i', content: inputOf(script) });
const output = (script: Script): RecordedEvent => ({ type: 'o', content: outputOf(script) });
const said = (content: string, type = 'o'): RecordedEvent => ({ type, content });
const cause = said('The gateway stopped while this session was running.\n', 'e');

/** A complete session of the script, with the given changes. */
function sessionOf(script: Script, but: Partial<SessionEvidence> = {}): SessionEvidence {
  const events = but.events ?? [input(script), output(script)];
  return {
    id: `session of ${script.marker}`,
    status: 'done',
    endDate: '2026-01-01T00:00:00Z',
    exitCode: 0,
    script: inputOf(script),
    received: events.length,
    stored: events.length,
    buffered: 0,
    events,
    faults: [],
    ...but,
  };
}

/** A ledger to which both scripts were sent. By default, the first was acknowledged completely. */
function ledgerOf(acknowledged: Partial<Parameters<Ledger['acknowledge']>[1]> | 'nothing' = {}): Ledger {
  const ledger = new Ledger();
  ledger.send(rows);
  ledger.send(other);
  if (acknowledged === 'nothing') return ledger;
  const sessionId = `session of ${rows.marker}`;
  const told = { sessionId, status: 'success', truncated: false, output: outputOf(rows) } as const;
  ledger.acknowledge(rows, { ...told, ...acknowledged });
  return ledger;
}

function verdict(
  sessions: SessionEvidence[],
  { ledger = ledgerOf(), effects = [] as string[] } = {},
): Omit<ReturnType<Ledger['verdict']>, 'findings'> {
  for (const session of sessions) ledger.inspect(session);
  const { findings, ...counts } = ledger.verdict(effects);
  const { lost, duplicated, torn, left_open } = counts;
  expect(findings).toHaveLength(lost + duplicated + torn + left_open);
  return counts;
}

describe('a ledger that agrees', () => {
  it('has nothing to say of sessions that are whole, whether their clients know it or not', () => {
    const effects = [rows.marker, other.marker];
    expect(verdict([sessionOf(rows), sessionOf(other)], { effects })).toEqual(none);
  });

  it('takes output in any number of events', () => {
    const [head, tail] = [outputOf(rows).slice(0, 20), outputOf(rows).slice(20)];
    expect(verdict([sessionOf(rows, { events: [input(rows), said(head), said(tail)] })])).toEqual(none);
  });

  it.each([
    ['before its input', []],
    ['before its output', [input(other)]],
    ['between rows', [input(other), said('BEGIN\nline\nmark-a-1-2#1\nCOMMIT\n')]],
    ['while its script was cancelled', [input(other), said('ERROR: canceling statement\n', 'e')]],
  ])('takes a session that was cut %s, with the cause as its last word', (_, events) => {
    const session = sessionOf(other, { events: [...events, cause], exitCode: 254 });
    expect(verdict([session], { ledger: ledgerOf('nothing') })).toEqual(none);
  });

  it('takes a session whose end was recorded late, after its output was acknowledged', () => {
    const events = [input(rows), output(rows), cause];
    expect(verdict([sessionOf(rows, { events, exitCode: 254 })])).toEqual(none);
  });

  it('takes an answer that was cut at its limit, when it says so', () => {
    const ledger = ledgerOf({ truncated: true, output: outputOf(rows).slice(0, 30) });
    expect(verdict([sessionOf(rows)], { ledger })).toEqual(none);
  });

  it('asks nothing of what a blocked client was told, but for its input', () => {
    const told = { status: 'blocked', output: 'The gateway could not record this.' } as const;
    const blocked = { exitCode: 254, events: [input(rows), cause] };
    expect(verdict([sessionOf(rows, blocked)], { ledger: ledgerOf(told) })).toEqual(none);
    expect(
      verdict([sessionOf(rows, { exitCode: 254, events: [cause] })], { ledger: ledgerOf(told) }),
    ).toEqual({ ...none, lost: 1 });
  });
});

describe('a ledger finds lost', () => {
  it('sessions, inputs and outputs that were acknowledged', () => {
    expect(verdict([])).toEqual({ ...none, lost: 1 });
    const told = ledgerOf({ status: 'running', output: '' });
    expect(verdict([sessionOf(rows, { events: [cause], exitCode: 254 })], { ledger: told })).toEqual({
      ...none,
      lost: 1,
    });
    const half = said('line\nmark-a-1-1#1\n');
    const cut = sessionOf(rows, { events: [input(rows), half, cause], exitCode: 254 });
    expect(verdict([cut])).toEqual({ ...none, lost: 1 });
  });

  it('inputs that are in another session than the client was told', () => {
    expect(verdict([sessionOf(rows, { id: 'another' })])).toEqual({ ...none, lost: 1 });
  });

  it('what a failed script had said', () => {
    const ledger = ledgerOf({ status: 'failed', output: 'line\nmark-a-1-1#1\nERROR: it ended\n' });
    const events = [input(rows), said('line\nmark-a-1-1#1\n'), cause];
    expect(verdict([sessionOf(rows, { events, exitCode: 254 })], { ledger })).toEqual({ ...none, lost: 1 });
  });

  it('output of a session that ended well, acknowledged or not', () => {
    const events = [input(other), said('BEGIN\nline\nmark-a-1-2#1\nCOMMIT\n')];
    const sessions = [sessionOf(other, { events })];
    expect(verdict(sessions, { ledger: ledgerOf('nothing') })).toEqual({ ...none, lost: 1 });
  });

  it('effects and outputs without a recorded input', () => {
    const ledger = ledgerOf('nothing');
    expect(verdict([], { ledger, effects: [other.marker] })).toEqual({ ...none, lost: 1 });
    expect(verdict([sessionOf(other, { events: [output(other)] })], { ledger: ledgerOf('nothing') })).toEqual(
      {
        ...none,
        lost: 1,
      },
    );
  });
});

describe('a ledger finds duplicated', () => {
  it('inputs and outputs within a session', () => {
    expect(verdict([sessionOf(rows, { events: [input(rows), input(rows), output(rows)] })])).toEqual({
      ...none,
      duplicated: 1,
    });
    // The session also counts as torn, because the recorded output is not the script's output.
    expect(verdict([sessionOf(rows, { events: [input(rows), output(rows), output(rows)] })])).toEqual({
      ...none,
      duplicated: 1,
      torn: 1,
    });
  });

  it('inputs and outputs in two sessions', () => {
    expect(verdict([sessionOf(rows), sessionOf(rows, { id: 'replayed' })])).toEqual({
      ...none,
      duplicated: 2,
    });
    const replayed = sessionOf(rows, { id: 'replayed', events: [input(rows), cause], exitCode: 254 });
    expect(verdict([sessionOf(rows), replayed])).toEqual({ ...none, duplicated: 1 });
  });

  it('effects that came twice', () => {
    expect(verdict([sessionOf(rows)], { effects: [rows.marker, rows.marker] })).toEqual({
      ...none,
      duplicated: 1,
    });
  });
});

describe('a ledger finds torn', () => {
  const tear = (but: Partial<SessionEvidence>) => verdict([sessionOf(rows, but)]);

  it('inputs that were changed, cut, or sent by nobody', () => {
    const cut = { type: 'i', content: inputOf(rows).slice(0, -1) };
    expect(tear({ events: [cut, output(rows)], script: cut.content })).toEqual({ ...none, torn: 1 });
    expect(tear({ script: 'SELECT 1' })).toEqual({ ...none, torn: 1 });
    const stranger = sessionOf({ ...rows, marker: 'mark-a-9-9' });
    expect(verdict([sessionOf(rows), stranger])).toEqual({ ...none, torn: 1 });
  });

  it('output that ends within a row, is out of order or is of another script', () => {
    const end = (text: string) => ({ exitCode: 254, events: [input(other), said(text), cause] });
    for (const text of ['BEGIN\nline\nmark-a', 'line\nmark-a-1-2#1\n', 'BEGIN\nline\nmark-a-1-1#1\n'])
      expect(verdict([sessionOf(other, end(text))], { ledger: ledgerOf('nothing') })).toEqual({
        ...none,
        torn: 1,
      });
  });

  it('answers that do not hold the output of the script, although it is recorded', () => {
    const ledger = ledgerOf({ output: outputOf(rows).slice(0, 30) });
    expect(verdict([sessionOf(rows)], { ledger })).toEqual({ ...none, torn: 1 });
  });

  it('chunks with faults, and events that do not add up', () => {
    expect(tear({ faults: ['chunk 1 does not fit its hash', 'chunk 3 has the number 4'] })).toEqual({
      ...none,
      torn: 2,
    });
    expect(tear({ stored: 3, received: 3 })).toEqual({ ...none, torn: 1 });
    expect(tear({ buffered: 1, received: 3 })).toEqual({ ...none, torn: 1 });
    expect(tear({ received: 5 })).toEqual({ ...none, torn: 1 });
  });
});

it('a ledger finds what is left open: sessions that are not done, and ends without a date', () => {
  expect(verdict([sessionOf(rows, { status: 'open', endDate: null })])).toEqual({ ...none, left_open: 1 });
  expect(verdict([sessionOf(rows, { endDate: null })])).toEqual({ ...none, left_open: 1 });
});
