import { describeReviewPath } from '../../support/describe';
import { CommandLine } from './command-line';

describeReviewPath('requests at the command line', ({ path }) => {
  const line = new CommandLine(() => path.gateway);
  const urgent = (rule: object = {}, groups = ['engineering']) =>
    path.reviewed(rule, { access_groups: ['*'], emergency_access_groups: groups });

  afterAll(() => line.remove());

  it('are listed with the beginning of what would run', async () => {
    const script = `SELECT 42\n-- ${'🐘'.repeat(80)}`;
    const connection = await path.reviewed();
    await path.by('alice', 'POST', '/sessions', { connection, script, reason: 'ticket 42' });
    const listed = await line.run(['requests', '--mine', 'to_decide'], await line.as('bob'));
    expect(listed.out).toContain(`  SELECT 42\\n-- ${'🐘'.repeat(46)}…  `);
  });

  // promises: CLI-14
  it('of emergencies open at once, run, and are signed off by another person', async () => {
    const connection = await urgent();
    const ran = await line.run(
      ['exec', connection, '-c', 'SELECT 7 AS n', '--emergency', 'payments are down'],
      await line.as('alice'),
    );
    expect([ran.code, ran.out]).toEqual([0, 'n\n7\n']);
    const [, id = ''] = /another person looks at review (\S+) afterwards/.exec(ran.err) ?? [];
    const { body } = await path.by('admin', 'GET', `/reviews/${id}`);
    expect(body).toMatchObject({ status: 'EXECUTED', emergency: true, force_reason: 'payments are down' });

    const bob = await line.as('bob');
    const listed = await line.run(['requests', '--mine', 'to_sign_off'], bob);
    expect(listed.out).toContain(`${id}  EXECUTED (emergency)`);
    const own = await line.run(['sign-off', id, '--comment', 'fine'], await line.as('alice'));
    expect([own.code, own.err]).toEqual([77, expect.stringContaining('cannot sign off your own request')]);
    const done = await line.run(['sign-off', id, '--comment', 'INC-204, correct'], bob);
    expect([done.code, done.out]).toEqual([0, expect.stringContaining('signed_off')]);
    expect((await line.run(['requests', '--mine', 'to_sign_off'], bob)).out).not.toContain(id);
  });

  // promises: CLI-14
  it('of emergencies give credentials, and declare nothing where no approval is needed', async () => {
    const connection = await urgent({ access_type: 'jit' });
    const args = ['--output', 'json', 'credentials', connection, '--emergency', 'payments are down'];
    const given = await line.run(args, await line.as('alice'));
    expect([given.code, JSON.parse(given.out)]).toMatchObject([
      0,
      { connection_credentials: { password: expect.any(String) } },
    ]);
    const again = await line.run(args, await line.as('alice'));
    expect([again.code, again.err]).toEqual([0, '']);
    const free = ['exec', 'orders', '-c', 'SELECT 7 AS n', '--emergency', 'payments are down'];
    expect(await line.run(free, await line.as('alice'))).toEqual({ code: 0, out: 'n\n7\n', err: '' });
  });

  // promises: CLI-14
  it('is refused to people without emergency access, and without a reason; the request waits', async () => {
    const connection = await urgent({}, ['dba']);
    const exec = ['exec', connection, '-c', 'SELECT 7', '--emergency'];
    const refused = await line.run([...exec, 'payments are down'], await line.as('alice'));
    expect([refused.code, refused.out, refused.err]).toEqual([
      77,
      '',
      expect.stringContaining('none of your groups may open'),
    ]);
    const blank = await line.run([...exec, ' '], await line.as('alice'));
    expect([blank.code, blank.err]).toEqual([64, expect.stringContaining('reason must not be blank')]);
    const [, id = ''] = /Review (\S+) was not opened in an emergency/.exec(refused.err) ?? [];
    expect((await path.by('alice', 'GET', `/reviews/${id}`)).body.status).toBe('PENDING');
  });
});
