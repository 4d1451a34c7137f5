import { JsonNumber, type Json, readJson, writeJson } from '../../../kernel/json/json';
import { RPC_ERRORS } from './rpc-errors';
import {
  RpcFault,
  classifyMessage,
  rpcError,
  idKey,
  rpcNotification,
  rpcRequest,
  rpcResult,
} from './rpc-messages';

const read = (text: string): Json => readJson(Buffer.from(text)) as Json;

describe('a JSON-RPC message', () => {
  it.each<[string, object]>([
    [
      '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      { kind: 'request', id: 1, method: 'ping', params: undefined },
    ],
    [
      '{"jsonrpc":"2.0","id":"","method":"a","params":{"x":1}}',
      { kind: 'request', id: '', method: 'a', params: { x: 1 } },
    ],
    ['{"jsonrpc":"2.0","method":"n","params":{}}', { kind: 'notification', method: 'n', params: {} }],
    ['{"jsonrpc":"2.0","id":-3,"result":{"a":1},"odd":true}', { kind: 'result', id: -3, result: { a: 1 } }],
    [
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no","data":[1],"more":2}}',
      { kind: 'error', id: 2, error: { code: -32601, message: 'no', data: [1], more: 2 } },
    ],
    ['{"jsonrpc":"2.0","error":{"code":1,"message":"m"}}', { kind: 'error', id: undefined }],
    ['{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"m"}}', { kind: 'error', id: undefined }],
  ])('%s is told apart', (text, message) => {
    const found = classifyMessage(read(text));
    expect({ ...found, ...JSON.parse(JSON.stringify(found)) }).toMatchObject(message);
  });

  it.each([
    ['an array', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
    ['a text', '"ping"'],
    ['null', 'null'],
    ['a number that no double holds', '9007199254740993'],
    ['an object without version', '{"id":1,"method":"ping"}'],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"ping"}'],
    ['a version that is a number', '{"jsonrpc":2.0,"id":1,"method":"ping"}'],
    ['neither method nor answer', '{"jsonrpc":"2.0","id":1}'],
    ['result and error', '{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}'],
    ['method and result', '{"jsonrpc":"2.0","id":1,"method":"a","result":{}}'],
    ['a method that is no string', '{"jsonrpc":"2.0","id":1,"method":1}'],
    ['an empty method', '{"jsonrpc":"2.0","id":1,"method":""}'],
    ['params that are a list', '{"jsonrpc":"2.0","id":1,"method":"a","params":[1]}'],
    ['params that are null', '{"jsonrpc":"2.0","id":1,"method":"a","params":null}'],
    ['params that are a number', '{"jsonrpc":"2.0","id":1,"method":"a","params":9007199254740993}'],
    ['a request with the id null', '{"jsonrpc":"2.0","id":null,"method":"a"}'],
    ['a result with the id null', '{"jsonrpc":"2.0","id":null,"result":{}}'],
    ['a result without id', '{"jsonrpc":"2.0","result":{}}'],
    ['a fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"a"}'],
    ['a fractional id that no double holds', '{"jsonrpc":"2.0","id":1.0000000000000000001,"method":"a"}'],
    ['an id beyond doubles', '{"jsonrpc":"2.0","id":1e400,"method":"a"}'],
    ['an id that is a list', '{"jsonrpc":"2.0","id":[1],"method":"a"}'],
    ['an id that is true', '{"jsonrpc":"2.0","id":true,"result":{}}'],
    ['a result that is no object', '{"jsonrpc":"2.0","id":1,"result":"done"}'],
    ['an error that is a text', '{"jsonrpc":"2.0","id":1,"error":"no"}'],
    ['an error without message', '{"jsonrpc":"2.0","id":1,"error":{"code":1}}'],
    ['an error with a fractional code', '{"jsonrpc":"2.0","id":1,"error":{"code":1.5,"message":"m"}}'],
  ])('is refused: %s', (_, text) => {
    const classify = () => classifyMessage(read(text));
    expect(classify).toThrow(RpcFault);
    expect(classify).toThrow(expect.objectContaining({ code: RPC_ERRORS.invalidRequest }));
  });

  it('is refused with its id, where it has one', () => {
    expect(() => classifyMessage(read('{"jsonrpc":"2.0","id":"x","method":7}'))).toThrow(
      expect.objectContaining({ id: 'x' }),
    );
  });

  it('keeps ids that no double holds, apart from the ids beside them', () => {
    const ids = [
      '9007199254740993',
      '9007199254740992',
      '9007199254740994',
      '"9007199254740993"',
      '-0',
      '0',
      '""',
    ];
    const messages = ids.map((id) => classifyMessage(read(`{"jsonrpc":"2.0","id":${id},"method":"a"}`)));
    const found = messages.map((message) => (message.kind === 'request' ? message.id : 'no request'));
    expect(found.map((id) => writeJson(rpcResult(id, {})))).toEqual(
      ids.map((id) => `{"jsonrpc":"2.0","id":${id},"result":{}}`),
    );
    expect(new Set(found.map(idKey)).size).toBe(ids.length);
    expect(idKey(new JsonNumber('9007199254740993'))).toBe('9007199254740993');
  });

  it('is written', () => {
    expect(writeJson(rpcRequest(1, 'a', { x: 1 }))).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"a","params":{"x":1}}',
    );
    expect(writeJson(rpcRequest('1', 'a'))).toBe('{"jsonrpc":"2.0","id":"1","method":"a"}');
    expect(writeJson(rpcNotification('n'))).toBe('{"jsonrpc":"2.0","method":"n"}');
    expect(writeJson(rpcError(undefined, { code: -32700, message: 'm' }))).toBe(
      '{"jsonrpc":"2.0","error":{"code":-32700,"message":"m"}}',
    );
  });
});
