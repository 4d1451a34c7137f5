import * as fc from '../../../../test/support/fast-check';
import { AppError } from '../../../kernel/app-error';
import { GatewayValidationPipe } from '../../../platform/http/validation.pipe';
import { SessionQuery, readingOptions } from './session-query';

const NOTHING_ASKED = {
  eventTime: false,
  newLine: false,
  parse: undefined,
  events: undefined,
  withEvents: false,
  withScript: true,
  extension: undefined,
};

const pipe = new GatewayValidationPipe();

/** Validates and reads a query like the query of a request. */
async function read(given: object) {
  const query = await pipe.transform(given, { type: 'query', metatype: SessionQuery });
  return readingOptions(query as SessionQuery);
}

describe('how a session is to be read', () => {
  // promises: READ-1, READ-13
  it('has defaults', async () => {
    expect(await read({})).toEqual(NOTHING_ASKED);
  });

  it('takes lists repeated, comma-separated, or both, each item once', async () => {
    const events = async (given: unknown) => (await read({ events: given })).events;
    expect(await events('i')).toEqual(['i']);
    expect(await events('i,o')).toEqual(['i', 'o']);
    expect(await events(['i', 'o,e', 'i'])).toEqual(['i', 'o', 'e']);
  });

  it('expands what is named, and the stream when a parse is asked for', async () => {
    const parts = async (query: object) => {
      const { withEvents, withScript } = await read(query);
      return [withEvents, withScript];
    };
    expect(await parts({ expand: 'event_stream' })).toEqual([true, false]);
    expect(await parts({ expand: 'session_input' })).toEqual([false, true]);
    expect(await parts({ expand: ['event_stream', 'session_input'] })).toEqual([true, true]);
    expect(await parts({ event_stream: 'utf8' })).toEqual([true, true]);
    expect(await parts({ event_stream: 'utf8', expand: 'session_input' })).toEqual([true, true]);
  });

  it('either reads a query or refuses it in plain words, whatever it holds', async () => {
    const value = fc.oneof(
      fc.string(),
      fc.constantFrom('', '0', '1', 'utf8', 'i', 'o,e', 'event_stream', 'csv'),
      fc.array(fc.string(), { maxLength: 3 }),
      fc.dictionary(fc.string(), fc.string(), { maxKeys: 2 }),
    );
    const names = ['event-time', 'new_line', 'newline', 'event_stream', 'events', 'expand', 'extension'];
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), value), async (query) => {
        let options;
        try {
          options = await read(query);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect(error).toMatchObject({
            code: 'malformed',
            message: expect.stringMatching(/^[\w-]+ must be /),
          });
          return;
        }
        // The extension becomes part of a file name and of a header.
        expect(options.extension ?? 'txt').toMatch(/^[^]{1,64}$/);
        expect(options.events ?? []).toEqual([...new Set(options.events)]);
      }),
    );
  });
});
