import { randomUUID } from 'node:crypto';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { isName, visibleName } from '../../src/kernel/text/names';
import { describeDataPath } from '../support/describe';
import { createRule, denyWords } from '../support/guardrails';
import { fieldChecks, routeInputs } from '../support/route-inputs';

/** One name in two Unicode forms, which look the same. */
const [NFC, NFD] = ['donn\u00E9es', 'donne\u0301es'];

/** Reasons why text fields are not names, by class and field. A new field for a name needs `NameField`. */
const FREE_TEXTS: Record<string, string> = {
  'ApprovedExecBody.client_args': 'compared to the byte with what was approved',
  'ApprovedExecBody.env_vars': 'compared to the byte with what was approved',
  'ApprovedExecBody.script': 'compared to the byte with what was approved',
  'AttributeBody.description': 'prose',
  'AttributeChangeBody.description': 'prose',
  'AuditQuery.actor': 'subject or e-mail: identifiers of the identity provider',
  'AuditQuery.request_id': 'an identifier of the caller, exactly',
  'AuditQuery.resource_type': 'a part of a path of ours',
  'ConnectionBody.description': 'prose',
  'NamePatternsBody.allowed': 'patterns, compared in NFC',
  'NamePatternsBody.denied': 'patterns, compared in NFC',
  'RuleEntryBody.arguments': 'JSON pointers, compared exactly',
  'ToolPatternsBody.allowed': 'patterns, compared in NFC',
  'ToolPatternsBody.denied': 'patterns, compared in NFC',
  'ToolPatternsBody.approval': 'patterns, compared in NFC',
  'ConnectionBody.secret': 'its names are listed for each kind of target',
  'ConnectionPatchBody.description': 'prose',
  'ConnectionPatchBody.secret': 'its names are listed for each kind of target',
  'ConnectionQuery.search': 'a part of a name, or of prose',
  'ConnectionQuery.subtype': 'a word of ours',
  'ConnectionQuery.tag_selector': 'parts of tags; split before they are compared',
  'ConnectionQuery.type': 'a word of ours',
  'DryRunBody.text': 'what is judged, as it is',
  'ScriptCheckBody.script': 'what is judged, as it is',
  'ExecBody.client_args': 'must be empty',
  'ExecBody.correlation_id': 'the caller’s own identifier, exactly',
  'ExecBody.env_vars': 'must be empty',
  'ExecBody.labels': 'said of one session, and shown back',
  'ExecBody.metadata': 'said of one session, and shown back',
  'ExecBody.script': 'what is run, as it is',
  'ExecBody.session_batch_id': 'the caller’s own identifier, exactly',
  'AccessRuleBody.description': 'prose',
  'DownloadLinkBody.extension': 'a word of ours',
  'GroupBody.description': 'prose',
  'GuardrailBody.description': 'prose',
  'LoginQuery.redirect': 'an address',
  'PageOfUserQuery.user': 'subject or e-mail: identifiers of the identity provider',
  'PolicyQuery.user': 'subject or e-mail: identifiers of the identity provider',
  'RuleEntryBody.functions': 'names of the target’s, as SQL writes them',
  'RuleEntryBody.message': 'prose',
  'RuleEntryBody.file_extensions': 'ends of file names, as servers write them',
  'RuleEntryBody.file_paths': 'patterns of paths, as servers write them',
  'RuleEntryBody.pattern_regex': 'a pattern, as it is',
  'RuleEntryBody.program_arguments': 'patterns of arguments, as shells write them',
  'RuleEntryBody.programs': 'names of programs, as shells write them',
  'RuleEntryBody.redirects_to': 'patterns of paths, as shells write them',
  'RuleEntryBody.words': 'what is looked for, as it is',
  'SessionMetadataBody.metadata': 'said of one session, and shown back',
  'SshPublicKeyBody.public_key': 'a public key, as OpenSSH writes it',
  'TableConditionBody.name': 'a name of the target’s, as SQL writes it',
  'TablesQuery.database': 'a name of the target’s, as SQL writes it',
  'TablesQuery.schema': 'a name of the target’s, as SQL writes it',
  'TimeWindowConfigurationBody.end_time': 'a time',
  'TimeWindowConfigurationBody.start_time': 'a time',
  'UserBody.id': 'the identity provider’s `sub`, exactly',
  'UserQuery.search': 'a part of a name',
  'WebhookChangeBody.description': 'prose',
  'WebhookChangeBody.secret': 'bytes in base64',
  'WebhookChangeBody.url': 'an address',
  'WebhookCreationBody.description': 'prose',
  'WebhookCreationBody.secret': 'a secret',
  'WebhookCreationBody.url': 'an address',
  'WebhookSecretBody.secret': 'a secret',
};

/** Path parameters that are no names. */
const FREE_PARAMETERS = new Set(['UsersController.get', 'UsersController.update', 'UsersController.remove']);

const TEXT_CHECKS = ['isString', 'boundedStringMap', 'boundedMetadata', 'isObject'];
const OTHER_CHECKS = ['isIn', 'isEnum', 'isTime', 'isEmail', 'nestedValidation'];

describeDataPath('names', { environment: { POSTGRES_PROXY_HOST: '127.0.0.1' } }, ({ path }) => {
  beforeAll(async () => {
    await path.target.query(`CREATE TABLE secrets AS SELECT 'hidden' AS value`);
  });

  const admin = (method: string, to: string, body?: object) => path.gateway.call('admin', method, to, body);

  // promises: HTTP-20
  it('are all normalized: each text field of each body and query is a name, or listed as none', () => {
    const { classes } = routeInputs(path.gateway.app);
    expect(classes.length).toBeGreaterThan(20);
    const unclassified: string[] = [];
    const excused = new Set<string>();
    for (const type of classes)
      for (const [field, checks] of fieldChecks(type)) {
        const isText = checks.some((check) => TEXT_CHECKS.includes(check));
        if (!isText || checks.some((check) => OTHER_CHECKS.includes(check))) continue;
        const place = `${type.name}.${field}`;
        if (checks.includes('isName')) expectName(type, field);
        else if (checks.includes('isNameMap')) expectNameMap(type, field);
        else if (checks.includes('isReason')) expectReason(type, field);
        else if (place in FREE_TEXTS) excused.add(place);
        else unclassified.push(place);
      }
    expect(unclassified).toEqual([]);
    expect([...excused].sort()).toEqual(Object.keys(FREE_TEXTS).sort());
  });

  // promises: HTTP-20
  it('are normalized in paths too', () => {
    const { parameters } = routeInputs(path.gateway.app);
    expect(parameters.length).toBeGreaterThan(30);
    expect(parameters.filter(({ route, isChecked }) => !isChecked && !FREE_PARAMETERS.has(route))).toEqual(
      [],
    );
  });

  // promises: HTTP-20
  it('are stored and found in that form, however they are written', async () => {
    const spaced = ` ${NFD}\u00A0`;
    expect((await admin('POST', '/attributes', { name: spaced })).body).toMatchObject({ name: NFC });
    expect((await admin('POST', '/attributes', { name: NFC })).status).toBe(409);
    expect((await admin('GET', `/attributes/${encodeURIComponent(spaced)}`)).body).toMatchObject({
      name: NFC,
    });
    expect((await admin('POST', '/groups', { name: spaced })).body).toMatchObject({ name: NFC });
    const key = await admin('POST', '/api-keys', { name: spaced, groups: [NFC, spaced] });
    expect(key.body).toMatchObject({ name: NFC, groups: [NFC] });
    await path.connect('tagged', {
      connection_tags: { [spaced]: NFD },
      attributes: [spaced],
      resource_name: NFD,
    });
    expect((await admin('GET', `/connections/%20tagged`)).body).toMatchObject({
      connection_tags: { [NFC]: NFC },
      attributes: [NFC],
      resource_name: NFC,
    });
    const found = async (query: string): Promise<string[]> =>
      (await admin('GET', `/connections?${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await found(`attribute=${encodeURIComponent(spaced)}`)).toEqual(['tagged']);
    expect(await found(`tag_selector=${encodeURIComponent(`${NFD} = ${NFD}`)}`)).toEqual(['tagged']);
    expect((await admin('GET', '/connections?attribute=p%E2%80%8Bii')).status).toBe(400);
    await path.run('SELECT 1', { connection: 'tagged' });
    expect((await admin('GET', '/sessions?connection=%20tagged%20')).body.total).toBe(1);
    expect((await admin('GET', '/sessions?connection=tagged%E2%80%8B')).status).toBe(422);
  });

  // promises: HTTP-20
  it.each([
    ['/attributes', { name: 'pii\u200B' }],
    ['/attributes', { name: '..' }],
    ['/groups', { name: '\u202Enimda' }],
    ['/groups', { name: 'line\nbreak' }],
    ['/guardrails', { name: 'no\u2066drops' }],
    ['/guardrails', { name: 'rule', attributes: ['p\u00ADii'] }],
    ['/api-keys', { name: 'robot', groups: ['admin\u200D'] }],
    ['/users', { id: 'x', email: 'x@example.com', name: 'A\u202Edmin' }],
    ['/users', { id: 'x', email: 'x@example.com', groups: ['.'] }],
  ])('POST %s %j is refused', async (to, body) => {
    const answer = await admin('POST', to, body);
    expect([answer.status, answer.body]).toEqual([
      422,
      { message: expect.stringContaining('invisible or bidirectional characters') },
    ]);
  });

  // promises: HTTP-20
  it.each<[string, string, object]>([
    ['POST', '/sessions', { connection: 'orders', script: 'SELECT 1', reason: 'OPS-1\u202E' }],
    ['POST', '/connections/orders/credentials', { reason: 'OPS\u200B-1' }],
    ['PUT', `/reviews/${randomUUID()}`, { status: 'REJECTED', rejection_reason: 'no\u0007' }],
    ['PUT', `/reviews/${randomUUID()}`, { status: 'APPROVED', force_review: true, force_reason: '\u2066x' }],
    ['POST', `/reviews/${randomUUID()}/emergency`, { reason: 'INC\u00AD-1' }],
    ['POST', `/reviews/${randomUUID()}/sign-off`, { comment: 'fine\uFE0F' }],
  ])('%s %s refuses a reason of which a part is not seen', async (method, to, body) => {
    const answer = await admin(method, to, body);
    expect([answer.status, answer.body]).toEqual([
      422,
      { message: expect.stringContaining('must not contain control, invisible or bidirectional characters') },
    ]);
  });

  // promises: HTTP-20
  it('reasons are stored in one line, and compared by what is seen', async () => {
    const { body } = await path.run('SELECT 1', { reason: ` ${NFD}\r\nOPS-1\t` });
    expect((await admin('GET', `/sessions/${body.session_id}`)).body.reason).toBe(`${NFC} OPS-1`);
  });

  // promises: HTTP-20
  it('a path with an invalid name is malformed', async () => {
    for (const name of ['pii%E2%80%8B', '%E2%80%AEiip', 'a%07b'])
      expect((await admin('GET', `/attributes/${name}`)).status).toBe(400);
  });

  it('tags that turn out to be the same are refused: one of them would be lost', async () => {
    const answer = await admin('PATCH', '/connections/orders', { connection_tags: { a: '1', ' a': '2' } });
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('keys must differ')]);
  });

  it('the database compares names as the gateway does', async () => {
    const codePoints = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code !== 0 && (code < 0xd800 || code > 0xf000) && code < 0xf0100)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => !isName(character) && character !== '.')
      // Leaves out unassigned code points that are not ignorable, because the database treats them as
      // visible.
      .filter(
        (character) => !/\p{Cn}/u.test(character) || /\p{Default_Ignorable_Code_Point}/u.test(character),
      );
    expect(codePoints.length).toBeGreaterThan(4_000);
    const given = [
      ...codePoints.map((character) => `a${character}b`),
      ` ${NFD} `,
      '\u00A0x\u3000',
      'e\u200B\u0301',
    ];
    const [row] = await path.gateway.database.query<{ seen: string[] }>('SELECT visible_names($1) AS seen', [
      given,
    ]);
    const differing = given.filter((name, at) => row?.seen[at] !== visibleName(name));
    expect(differing.map((name) => name.codePointAt(1)?.toString(16))).toEqual([]);
  });

  const secretOn = async (connection: string) =>
    (await path.run('SELECT * FROM secrets', { connection })).body;
  const hides = { input: denyWords(['secrets']) };

  it('a rule for an attribute holds on a connection whose attribute looks the same', async () => {
    await createRule(path.gateway, { name: 'hides-nfc', attributes: [NFC], ...hides });
    await path.connect('nfd', { attributes: [NFD] });
    expect(await secretOn('nfd')).toMatchObject({ output_status: 'blocked' });
    const rule = { access_type: 'command', reviewers_groups: ['dba'], min_approvals: 1 };
    await admin('POST', '/access-requests/rules', { name: 'asks', attributes: [` ${NFD}`], ...rule });
    const asked = await path.run('SELECT 1', { connection: 'nfd' }, 'alice');
    expect([asked.status, asked.body]).toMatchObject([202, { has_review: true }]);
    await admin('DELETE', '/access-requests/rules/asks');
  });

  it.each([
    ['another composition', NFD],
    ['white space', ` ${NFC} `],
    ['a no-break space', `${NFC}\u00A0`],
    ['a zero-width space', `don\u200Bn\u00E9es`],
    ['a bidirectional mark', `\u202A${NFC}\u202C`],
    ['a tag character', `${NFC}\u{E0041}`],
  ])('what came into the tables past the edge escapes no rule: %s', async (_, lookAlike) => {
    await path.gateway.database.query('DELETE FROM guardrail_rules');
    await path.connect('stored', {});
    await path.gateway.database.query(`UPDATE connections SET attributes = ARRAY[$1] WHERE name = 'stored'`, [
      lookAlike,
    ]);
    const ruleId = await createRule(path.gateway, { name: 'hides', attributes: [NFC], ...hides });
    expect(await secretOn('stored')).toMatchObject({ output_status: 'blocked' });
    await path.gateway.database.query(`UPDATE guardrail_rules SET attributes = ARRAY[$1]`, [lookAlike]);
    await path.gateway.database.query(`UPDATE connections SET attributes = ARRAY[$1] WHERE name = 'stored'`, [
      NFC,
    ]);
    expect(await secretOn('stored')).toMatchObject({ output_status: 'blocked' });
    expect(
      (await admin('GET', '/connections/stored/effective-policy?user=admin')).body.guardrails,
    ).toMatchObject([{ id: ruleId, origin: { by: 'attribute', value: lookAlike } }]);
    await path.gateway.database.query('DELETE FROM guardrail_rules');
    await path.gateway.database.query(
      `INSERT INTO access_request_rules (org_id, name, access_type, reviewers_groups, min_approvals, attributes, connection_names)
       SELECT id, unnest(ARRAY['by-attribute', 'by-name']), 'command', '{dba}', 1, ARRAY[$1], '{}' FROM organizations`,
      [lookAlike],
    );
    await path.gateway.database.query(
      `UPDATE access_request_rules SET attributes = '{}', connection_names = ARRAY[$1] WHERE name = 'by-name'`,
      [`\u200Bstored `],
    );
    expect((await path.run('SELECT 1', { connection: 'stored' })).body).toMatchObject({ has_review: true });
    const { access_rules } = (await admin('GET', '/connections/stored/effective-policy?user=admin')).body;
    expect(access_rules.map(({ name, origin }: { name: string; origin: object }) => [name, origin])).toEqual([
      ['by-attribute', { by: 'attribute', value: lookAlike }],
      ['by-name', { by: 'name', value: 'stored' }],
    ]);
    await path.gateway.database.query('DELETE FROM access_request_rules');
    await admin('DELETE', '/connections/stored');
  });
});

function expectName(type: new () => object, field: string): void {
  const list = Array.isArray(valueOf(type, field, ['x'])) && faultsOf(type, field, ['x']).length === 0;
  const given = (name: string): unknown => (list ? [name] : name);
  const place = `${type.name}.${field}`;
  expect([place, valueOf(type, field, given(` ${NFD}\u2003`))]).toEqual([place, given(NFC)]);
  for (const bad of ['a\u200Bb', '\u202Eabc', 'a\u0007c', 'a\0c', '..', '.', 'a\u00A0b'])
    expect([place, bad, faultsOf(type, field, given(bad)).includes('isName')]).toEqual([place, bad, true]);
}

function expectReason(type: new () => object, field: string): void {
  const place = `${type.name}.${field}`;
  expect([place, valueOf(type, field, ` ${NFD}\r\n\tand more\n`)]).toEqual([place, `${NFC} and more`]);
  for (const bad of ['a\u200Bb', '\u202Eabc', 'a\u0007c', 'a\0c', 'a\uD800', 'a\u2028b'])
    expect([place, bad, faultsOf(type, field, bad)]).toEqual([place, bad, ['isReason']]);
}

function expectNameMap(type: new () => object, field: string): void {
  expect(valueOf(type, field, { [` ${NFD}`]: `${NFD} ` })).toEqual({ [NFC]: NFC });
  for (const bad of [{ 'a\u200B': '' }, { a: '\u202Eb' }, { '..': 'x' }, { a: '1', 'a ': '2' }])
    expect(faultsOf(type, field, bad)).toContain('isNameMap');
}

function valueOf(type: new () => object, field: string, value: unknown): unknown {
  return (plainToInstance(type, { [field]: value }) as Record<string, unknown>)[field];
}

function faultsOf(type: new () => object, field: string, value: unknown): string[] {
  const instance = plainToInstance(type, { [field]: value });
  return validateSync(instance, { skipMissingProperties: true })
    .filter(({ property }) => property === field)
    .flatMap(({ constraints = {} }) => Object.keys(constraints));
}
