import {
  CallToolRequestParamsSchema,
  CompleteRequestParamsSchema,
  GetPromptRequestParamsSchema,
  PaginatedRequestParamsSchema,
  ReadResourceRequestParamsSchema,
  SetLevelRequestParamsSchema,
  SubscribeRequestParamsSchema,
  SubscriptionsListenRequestParamsSchema,
  UnsubscribeRequestParamsSchema,
} from '@modelcontextprotocol/core';
import { type Json, type JsonObject, isObject } from '../../../kernel/json/json';
import { knownParams, quotedMember } from './known-members';
import { RpcFault } from './rpc-messages';

/** Params of MCP requests, each with all members that the protocol defines. */
const FULL: Record<string, JsonObject> = {
  'tools/list': { cursor: 'c' },
  'tools/call': { name: 'a', arguments: { b: 1 }, inputResponses: { q: {} }, requestState: 's' },
  'prompts/get': { name: 'a', arguments: { b: '1' }, inputResponses: { q: {} }, requestState: 's' },
  'resources/read': { uri: 'a://b', inputResponses: { q: {} }, requestState: 's' },
  'resources/subscribe': { uri: 'a://b' },
  'resources/unsubscribe': { uri: 'a://b' },
  'logging/setLevel': { level: 'info' },
  'completion/complete': {
    ref: { type: 'ref/resource', uri: 'a://b', name: 'n', title: 't' },
    argument: { name: 'n', value: 'v' },
    context: { arguments: { o: 'p' } },
  },
  'subscriptions/listen': {
    notifications: {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ['a://b'],
    },
  },
};

/** Returns spellings of a name that some JSON readers treat as the same name. */
function spellingsOf(name: string): string[] {
  const wide = [...name]
    .map((letter) =>
      /[a-z]/i.test(letter) ? String.fromCodePoint(letter.codePointAt(0)! + 0xfe_e0) : letter,
    )
    .join('');
  const all = [
    name.toUpperCase(),
    name.replace(/[a-z]/, (letter) => letter.toUpperCase()),
    name.replace(/s/, '\u017F'),
    name.replace(/k/, '\u212A'),
    name.replace(/i/, '\u0131'),
    wide,
  ];
  return [...new Set(all)].filter((one) => one !== name);
}

/**
 * Yields copies of the params. In each copy, one member is replaced, or gets another member beside it, at one
 * of the levels that the protocol defines.
 */
function* changed(params: JsonObject, change: (name: string) => string[]): Generator<JsonObject> {
  for (const [name, value] of Object.entries(params)) {
    for (const other of change(name)) {
      yield { ...params, [other]: value };
      const { [name]: _gone, ...rest } = params;
      yield { ...rest, [other]: value };
    }
    if (isObject(value) && !['arguments', 'inputResponses', '_meta'].includes(name))
      for (const inner of changed(value, change)) yield { ...params, [name]: inner };
  }
}

const CASES = Object.entries(FULL).map(([method, params]): [string, JsonObject] => [
  method,
  { ...params, _meta: { progressToken: 1 } },
]);

// promises: MCP-2
describe('the members of params that are passed on', () => {
  it.each(CASES)('%s: each that the protocol knows', (method, params) => {
    expect(knownParams(method, params)).toEqual(params);
  });

  it.each(CASES)('%s: none in another spelling, at any level', (method, params) => {
    const attempts = [...changed(params, spellingsOf)];
    expect(attempts.length).toBeGreaterThan(5);
    for (const attempt of attempts) expect(() => knownParams(method, attempt)).toThrow(RpcFault);
  });

  it.each(CASES)('%s: none that it does not know, at any level', (method, params) => {
    const unknown = (name: string): string[] => [`x-${name}`, 'task', '__proto__', 'constructor', 'toString'];
    for (const attempt of changed(params, unknown)) {
      const kept = knownParams(method, attempt);
      for (const [name, value] of Object.entries(kept)) {
        expect(Object.keys(params)).toContain(name);
        if (isObject(value))
          expect(Object.keys(params[name] as JsonObject)).toEqual(expect.arrayContaining(Object.keys(value)));
      }
    }
  });

  it.each<[string, Json]>([
    ['an array', ['DROP']],
    ['a text', '{"sql":"DROP"}'],
    ['a number', 1],
    ['a truth', true],
  ])('no arguments that are %s', (_, args) => {
    for (const method of ['tools/call', 'prompts/get'])
      expect(() => knownParams(method, { name: 'a', arguments: args })).toThrow(
        '"arguments" is not an object',
      );
  });

  it('no arguments that are null, which is as if there were none', () => {
    expect(knownParams('tools/call', { name: 'a', arguments: null })).toEqual({ name: 'a' });
  });

  it('say which member is another spelling, without letters that look like others', () => {
    expect(() => knownParams('tools/call', { name: 'a', ['argument\u017F']: {} })).toThrow(
      '"params" has "argument\\u017f", which some servers read as "arguments"',
    );
    expect(quotedMember(`"\u202E${'x'.repeat(100)}`)).toHaveLength(2 + 2 + 6 + 62);
  });

  it.each([
    ['tools/list', PaginatedRequestParamsSchema, []],
    // The gateway does not support tasks, so it does not know the member `task`.
    ['tools/call', CallToolRequestParamsSchema, ['task']],
    ['prompts/get', GetPromptRequestParamsSchema, []],
    ['resources/read', ReadResourceRequestParamsSchema, []],
    ['resources/subscribe', SubscribeRequestParamsSchema, []],
    ['resources/unsubscribe', UnsubscribeRequestParamsSchema, []],
    ['logging/setLevel', SetLevelRequestParamsSchema, []],
    ['completion/complete', CompleteRequestParamsSchema, []],
    ['subscriptions/listen', SubscriptionsListenRequestParamsSchema, []],
  ])('%s: all that the official package knows', (method, { shape }, missing) => {
    const left = Object.keys(shape).filter((name) =>
      CASES.every(([one, params]) => one !== method || !(name in params)),
    );
    expect(left).toEqual(missing);
  });
});
