import * as fc from 'fast-check';
import { AppError } from '../../kernel/app-error';
import { readSessionQuery } from './session-query';

const NOTHING_ASKED = {
  eventTime: false,
  newLine: false,
  parse: undefined,
  events: undefined,
  withEvents: false,
  withScript: true,
  extension: undefined,
};

describe('how a session is to be read', () => {
  // promises: READ-1, READ-13
  it('has defaults', () => {
    expect(readSessionQuery({})).toEqual(NOTHING_ASKED);
    expect(
      readSessionQuery({ events: '', expand: '', event_stream: '', extension: '', 'event-time': '' }),
    ).toEqual(NOTHING_ASKED);
  });

  it('takes lists repeated, comma-separated, or both, each item once', () => {
    const events = (given: unknown) => readSessionQuery({ events: given }).events;
    expect(events('i')).toEqual(['i']);
    expect(events('i,o')).toEqual(['i', 'o']);
    expect(events(['i', 'o,e', 'i'])).toEqual(['i', 'o', 'e']);
  });

  it('expands what is named, and the stream when a parse is asked for', () => {
    const parts = (query: object) => {
      const { withEvents, withScript } = readSessionQuery(query as never);
      return [withEvents, withScript];
    };
    expect(parts({ expand: 'event_stream' })).toEqual([true, false]);
    expect(parts({ expand: 'session_input' })).toEqual([false, true]);
    expect(parts({ expand: ['event_stream', 'session_input'] })).toEqual([true, true]);
    expect(parts({ event_stream: 'utf8' })).toEqual([true, true]);
    expect(parts({ event_stream: 'utf8', expand: 'session_input' })).toEqual([true, true]);
  });

  it('either reads a query or refuses it in plain words, whatever it holds', () => {
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('0', '1', 'utf8', 'i', 'o,e', 'event_stream', 'csv'),
      fc.array(fc.string(), { maxLength: 3 }),
      fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
    );
    const names = ['event-time', 'new_line', 'newline', 'event_stream', 'events', 'expand', 'extension'];
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), value), (query) => {
        let read;
        try {
          read = readSessionQuery(query);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect(error).toMatchObject({
            code: 'malformed',
            message: expect.stringMatching(/^[\w-]+ must be /),
          });
          return;
        }
        // It becomes part of a file name and a header.
        expect(read.extension ?? 'txt').toMatch(/^[^]{1,64}$/);
        expect(read.events ?? []).toEqual([...new Set(read.events)]);
      }),
    );
  });
});
