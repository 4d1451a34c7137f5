import { foreignMeta, hasMirroredName, isLogged, mirroredName } from './methods';

describe('what is special about methods', () => {
  it.each([
    ['tools/call', { name: 'a', uri: 'b' }, 'a'],
    ['prompts/get', { name: 'a' }, 'a'],
    ['resources/read', { name: 'a', uri: 'b' }, 'b'],
    ['tools/list', { name: 'a' }, undefined],
    ['tools/call', { name: 1 }, undefined],
    ['tools/call', undefined, undefined],
    ['constructor', { name: 'a' }, undefined],
  ])('%s with %j is called %s in the header', (method, params, name) => {
    expect(mirroredName(method, params)).toBe(name);
  });

  it('is known before the parameters are', () => {
    expect(['tools/call', 'tools/list', 'toString'].map(hasMirroredName)).toEqual([true, false, false]);
  });

  it('is taken from `_meta`, and nothing else is', () => {
    expect(
      foreignMeta({
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
        'io.modelcontextprotocol/ClientInfo': {},
        'io.modelcontextprotocol/related-task': { taskId: '1' },
        progressToken: 1,
        traceparent: '00-1-1-01',
      }),
    ).toEqual({
      'io.modelcontextprotocol/related-task': { taskId: '1' },
      progressToken: 1,
      traceparent: '00-1-1-01',
    });
    for (const none of [undefined, null, [], 'x', { 'io.modelcontextprotocol/logLevel': 'info' }])
      expect(foreignMeta(none)).toBeUndefined();
  });

  it('orders severities', () => {
    expect(
      ['debug', 'info', 'warning', 'emergency', 'other'].map((level) => isLogged(level, 'warning')),
    ).toEqual([false, false, true, true, true]);
    expect(isLogged('debug', 'unknown')).toBe(true);
  });
});
