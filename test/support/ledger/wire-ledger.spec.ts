import { FAULT_MESSAGE } from '../../../src/gate/refusal';
import type { RecordedEvent } from './chunks';
import { type WireEvidence, WireLedger, type WireStatement } from './wire-ledger';

const VISIT = 'wire-1-1';
const none = { lost: 0, duplicated: 0, torn: 0, left_open: 0 };

const statement = (number: number, value?: string): WireStatement => {
  const marker = `mark-${VISIT}-${number}`;
  const text =
    value === undefined ? `INSERT INTO ledger VALUES ('${marker}')` : 'INSERT INTO ledger VALUES ($1)';
  return { marker, text, value };
};
const simple = statement(0);
const byValue = statement(1, `mark-${VISIT}-1`);

const event = (type: string, content: string): RecordedEvent => ({ type, content });
const done = event('o', 'INSERT 0 1\n');
const ofSimple = [event('i', simple.text), done];
const ofByValue = [event('i', byValue.text), event('p', `\\bind '${byValue.marker}'`), done];
const cause = event('e', 'The gateway stopped while this session was running.\n');
const unjudged = [
  event('e', `${FAULT_MESSAGE}\n`),
  event('e', 'Too many texts wait to be judged; try again later.\n'),
];
const label = event('i', `SET application_name TO '${VISIT}'`);

interface Visited {
  readonly sent?: readonly WireStatement[];
  /** Number of statements that ran and were acknowledged. Default: all. */
  readonly acknowledged?: number;
  readonly but?: Partial<WireEvidence>;
}

/** Returns the number of faults of each kind in a session with these events. */
function verdict(events: RecordedEvent[], visited: Visited = {}): object {
  const { sent = [simple, byValue], acknowledged = sent.length, but = {} } = visited;
  const ledger = new WireLedger();
  for (const one of sent) ledger.send(VISIT, one);
  for (let each = 0; each < acknowledged; each += 1) ledger.acknowledge(VISIT);
  const received = events.length;
  const session = { visit: VISIT, status: 'done', endDate: new Date(), received, events, faults: [] };
  ledger.inspect({ ...session, ...but });
  const { findings, ...counts } = ledger.verdict(sent.slice(0, acknowledged).map(({ marker }) => marker));
  expect(findings).toHaveLength(Object.values(counts).reduce((sum, count) => sum + count, 0));
  return counts;
}

describe('a ledger of clients of PostgreSQL agrees', () => {
  it('with a session that is whole, or ends where its client did', () => {
    expect(verdict([...ofSimple, ...ofByValue])).toEqual(none);
    expect(verdict([...ofSimple, cause], { acknowledged: 1 })).toEqual(none);
    expect(verdict([...ofSimple, ofByValue[0]!, cause], { acknowledged: 1 })).toEqual(none);
    expect(verdict([...ofSimple, ...ofByValue], { acknowledged: 1 })).toEqual(none);
  });

  it('with a client that was kept out, whose label is its only input', () => {
    expect(verdict([label, cause], { sent: [] })).toEqual(none);
    expect(verdict([cause], { sent: [] })).toEqual(none);
  });

  it('with parts of a statement that were refused together', () => {
    expect(verdict([...ofSimple, cause, ...ofByValue.slice(0, 2)], { acknowledged: 1 })).toEqual(none);
    // Parse and Bind were admitted, and Execute was not: it has the statement again, and the reason.
    for (const reason of unjudged)
      expect(
        verdict([...ofSimple, ...ofByValue.slice(0, 2), ofByValue[0]!, reason, cause], { acknowledged: 1 }),
      ).toEqual(none);
  });
});

describe('a ledger of clients of PostgreSQL finds', () => {
  it('what is lost', () => {
    expect(verdict(ofSimple)).toEqual({ ...none, lost: 2 });
    expect(verdict([...ofSimple, ...ofByValue.slice(0, 2)])).toEqual({ ...none, lost: 1 });
  });

  it('what is there twice, and labels of others or beside statements', () => {
    const twice = { ...none, duplicated: 1 };
    expect(verdict([...ofSimple, ...ofByValue, ofSimple[0]!])).toEqual(twice);
    const again = [...ofSimple, ...ofByValue.slice(0, 2), ofByValue[0]!];
    expect(verdict([...again, cause], { acknowledged: 1 })).toEqual(twice);
    expect(verdict([...again, ofByValue[0]!, ofByValue[0]!, unjudged[0]!], { acknowledged: 1 })).toEqual(
      twice,
    );
    expect(verdict([label, label, cause], { sent: [] })).toEqual(twice);
    expect(verdict([...ofSimple, ...ofByValue, label])).toEqual(twice);
    expect(verdict([event('i', `${label.content}-`), cause], { sent: [] })).toEqual(twice);
  });

  it('what is torn or left open', () => {
    const whole = [...ofSimple, ...ofByValue];
    expect(verdict([...whole, done])).toEqual({ ...none, torn: 1 });
    expect(verdict(whole, { but: { received: 6 } })).toEqual({ ...none, torn: 1 });
    expect(verdict(whole, { but: { faults: ['chunk 1 does not fit its hash'] } })).toEqual({
      ...none,
      torn: 1,
    });
    expect(verdict(whole, { but: { status: 'open' } })).toEqual({ ...none, left_open: 1 });
  });
});
