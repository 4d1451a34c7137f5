import { AnswerCheck, type SeenAnswer } from './answer-check';

const json = (headers: Record<string, string> = {}) =>
  new Headers({ 'content-type': 'application/json; charset=utf-8', 'x-request-id': '1', ...headers });

const group = { name: 'dba', description: '', members: 1 };
const groups: SeenAnswer = {
  method: 'GET',
  path: '/groups',
  status: 200,
  headers: json(),
  body: { data: [group], pages: { page: 1, size: 10, total: 1 } },
};

describe('the check of every answer in tests', () => {
  const check = new AnswerCheck();
  const page = (item: object) => ({
    ...groups,
    body: { data: [item], pages: { page: 1, size: 10, total: 1 } },
  });

  it('finds nothing wrong with what is described', () => {
    expect(check.faults(groups)).toEqual([]);
    expect(check.faults({ ...groups, method: 'HEAD', body: undefined })).toEqual([]);
    expect(check.faults({ ...groups, path: '/docs/index.html', headers: new Headers() })).toEqual([]);
  });

  it.each([
    ['null that is not declared', page({ ...group, description: null })],
    ['a field that is not described', page({ ...group, secret: 'x' })],
    ['a field that is missing', page({ name: 'dba', description: '' })],
    ['another type', page({ ...group, members: '1' })],
    ['a status that is not described', { ...groups, status: 418 }],
    ['a content type that is not described', { ...groups, headers: json({ 'content-type': 'text/html' }) }],
    ['a missing header', { ...groups, headers: new Headers({ 'content-type': 'application/json' }) }],
    ['an error of another form', { ...groups, status: 400, body: { message: 'no', error: 'no' } }],
    ['a success where nothing is described', { ...groups, path: '/nothing', body: {} }],
    ['another error where nothing is described', { ...groups, path: '/nothing', status: 404, body: '' }],
  ])('finds %s', (_, answer) => {
    expect(check.faults(answer)).toHaveLength(1);
  });

  it('takes null for an object only where its schema is nullable', () => {
    const description = (nullable: object) => ({
      paths: {
        '/one': {
          get: {
            responses: {
              200: {
                content: {
                  'application/json': {
                    schema: { type: 'object', properties: { part: { $ref: '#/components/schemas/Part' } } },
                  },
                },
              },
            },
          },
        },
      },
      components: { schemas: { Part: { type: 'object', properties: {}, ...nullable } } },
    });
    const answer = { method: 'GET', path: '/one', status: 200, headers: json(), body: { part: null } };
    expect(new AnswerCheck(description({ nullable: true })).faults(answer)).toEqual([]);
    expect(new AnswerCheck(description({})).faults(answer)).toHaveLength(1);
  });

  it('refuses a description that says `nullable` beside a reference, where it means nothing', () => {
    const schema = { nullable: true, allOf: [{ $ref: '#/components/schemas/Part' }] };
    const description = {
      paths: {
        '/one': { get: { responses: { 200: { content: { 'application/json': { schema } } } } } },
      },
      components: { schemas: { Part: { type: 'object', properties: {} } } },
    };
    const answer = { method: 'GET', path: '/one', status: 200, headers: json(), body: null };
    expect(() => new AnswerCheck(description).faults(answer)).toThrow('nullable');
  });
});
