import { targetKind } from '../../src/targets/kinds';
import { startDataPath } from '../support/data-path';
import { describeScoped } from '../support/describe';

/** Checks of a secret may be slow, such as that of a passphrase. */
describeScoped('the check of the secret of a changed connection', (begin) => {
  const path = begin(() => startDataPath());
  const kind = targetKind('postgres');
  if (kind === undefined) throw new Error('there is no such kind');
  const { secret: schema } = kind;

  afterEach(() => jest.restoreAllMocks());

  /** Replaces the check. `while` runs during the first one. */
  const checks = (meanwhile: () => Promise<unknown>): Record<string, string>[] => {
    const seen: Record<string, string>[] = [];
    Object.defineProperty(schema, 'check', {
      configurable: true,
      value: async (secret: Record<string, string>) => {
        seen.push(secret);
        if (seen.length === 1) await meanwhile();
        return [];
      },
    });
    return seen;
  };
  const original = Object.getOwnPropertyDescriptor(schema, 'check');
  afterEach(() => {
    if (original === undefined) Reflect.deleteProperty(schema, 'check');
    else Object.defineProperty(schema, 'check', original);
  });
  const patch = (name: string, secret: object) =>
    path.gateway.call('admin', 'PATCH', `/connections/${name}`, { secret });

  it.each(['PATCH', 'PUT'])('holds no lock: %s', async (method) => {
    const name = `unlocked-${method.toLowerCase()}`;
    const id = await path.connect(name);
    const { body } = await path.gateway.call('admin', 'GET', `/connections/${name}`);
    const seen = checks(() =>
      path.gateway.database.query('SELECT id FROM connections WHERE id = $1 FOR UPDATE NOWAIT', [id]),
    );
    const change =
      method === 'PATCH'
        ? { secret: { PORT: '5433' } }
        : { name, type: body.type, subtype: body.subtype, secret: { ...body.secret, PORT: '5433' } };
    const answer = await path.gateway.call('admin', method, `/connections/${name}`, change);
    expect([answer.status, seen]).toEqual([200, [expect.objectContaining({ PORT: '5433' })]]);
  });

  it('is repeated for what the connection gets when it changes meanwhile', async () => {
    const name = 'changed-twice';
    await path.connect(name);
    const seen = checks(() => patch(name, { USER: 'other' }));
    expect((await patch(name, { PORT: '5433' })).status).toBe(200);
    expect(seen.map(({ USER, PORT }) => [USER === 'other', PORT === '5433'])).toEqual([
      [false, true],
      [true, false],
      [true, true],
    ]);
  });
});
