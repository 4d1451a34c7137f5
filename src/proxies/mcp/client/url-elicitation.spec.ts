import { readJson, type JsonObject } from '../../../kernel/json/json';
import {
  elicitationComplete,
  hasAccepted,
  legacyElicitation,
  modernElicitation,
  opensUrls,
  urlElicitationRequired,
} from './url-elicitation';

const elicitation = { id: 'e-1', url: 'https://gateway.example/page', message: 'Please look at the page.' };

async function capabilities(text: string): Promise<JsonObject> {
  return (await readJson(Buffer.from(text))) as JsonObject;
}

describe('URL elicitation', () => {
  it('is for clients that declare the mode', async () => {
    expect(opensUrls(await capabilities('{"elicitation":{"form":{},"url":{}}}'))).toBe(true);
    for (const text of [
      '{}',
      '{"elicitation":{}}',
      '{"elicitation":{"form":{}}}',
      '{"elicitation":{"url":true}}',
      '{"elicitation":{"url":null}}',
      '{"elicitation":null}',
      '{"elicitation":"url"}',
    ])
      expect([text, opensUrls(await capabilities(text))]).toEqual([text, false]);
  });

  it('has the form of each era', () => {
    expect(modernElicitation(elicitation)).toEqual({
      method: 'elicitation/create',
      params: { mode: 'url', url: 'https://gateway.example/page', message: 'Please look at the page.' },
    });
    expect(legacyElicitation(elicitation)).toEqual({
      method: 'elicitation/create',
      params: {
        mode: 'url',
        elicitationId: 'e-1',
        url: 'https://gateway.example/page',
        message: 'Please look at the page.',
      },
    });
    expect(elicitationComplete(elicitation)).toEqual({ elicitationId: 'e-1' });
  });

  it('is an error of 2025-11-25 for a request that is to be repeated', () => {
    expect(urlElicitationRequired('Sign in first.', [elicitation])).toEqual({
      code: -32042,
      message: 'Sign in first.',
      data: { elicitations: [legacyElicitation(elicitation).params] },
    });
  });

  it.each<[unknown, boolean]>([
    [{ action: 'accept' }, true],
    [{ action: 'decline' }, false],
    [{ action: 'cancel' }, false],
    [{}, false],
    ['accept', false],
    [undefined, false],
  ])('knows that %j agreed: %s', (response, agreed) => {
    expect(hasAccepted(response as JsonObject)).toBe(agreed);
  });
});
