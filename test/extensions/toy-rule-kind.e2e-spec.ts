import { registerRuleKind } from '../../src/guardrails/kinds/kinds';
import { describeApi } from '../../src/commands/describe-api';
import { describeDataPath } from '../support/describe';
import { createRule, postRule } from '../support/guardrails';
import { foundFaults } from '../support/watched-answers';
import { statementCount } from './toy-rule-kinds/statement-count';
import { ticketNumber } from './toy-rule-kinds/ticket-number';

/** Two kinds of rules. Each consists only of a definition and one line that registers it. */
describeDataPath('a new kind of rule', ({ path }) => {
  let forget: (() => void)[];

  beforeAll(() => {
    forget = [registerRuleKind(statementCount), registerRuleKind(ticketNumber)];
  });

  afterAll(() => {
    for (const one of forget) one();
  });

  const count = { type: 'statement_count', max_statements: 2 };
  const ticket = { type: 'ticket_number', projects: ['OPS', 'DEV'] };
  const input = (entry: object) => ({ name: 'refused', input: { rules: [entry] } });

  it.each<[string, object, number, string]>([
    ['a value of another type', input({ ...count, max_statements: 'two' }), 400, 'must be an integer number'],
    ['a value beyond its limits', input({ ...count, max_statements: 10 }), 422, 'must not be greater than 9'],
    ['too long a text', input({ ...ticket, projects: ['MARKETING'] }), 422, 'shorter than or equal to 8'],
    ['what its compiler refuses', input({ type: 'statement_count' }), 422, 'max_statements is missing'],
    [
      'its field in an entry of another kind',
      input({ type: 'deny_words_list', words: ['x'], max_statements: 2 }),
      422,
      'input.rules.0: max_statements belongs to entries of type statement_count only',
    ],
    [
      'fields of other kinds',
      input({ ...count, words: ['x'] }),
      422,
      'input.rules.0: words belongs to entries of type deny_words_list only',
    ],
    [
      'the other direction',
      { name: 'refused', output: { rules: [count] } },
      422,
      'output.rules.0: statement_count entries judge input only',
    ],
  ])('refuses %s', async (_, body, status, message) => {
    const answer = await postRule(path.gateway, body);
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringContaining(message)]);
  });

  it('is named by the API where a type is unknown', async () => {
    const { body } = await postRule(path.gateway, input({ type: 'other' }));
    expect(body.message).toMatch(/^input\.rules\.0\.type must be one of .*statement_count, ticket_number$/);
  });

  it('is in the documentation, with its fields and its example', async () => {
    const { components } = await describeApi();
    const schemas = components?.schemas as Record<string, { properties: Record<string, unknown> }>;
    const { properties } = schemas.RuleEntryBody!;
    expect(properties.type).toMatchObject({
      enum: expect.arrayContaining(['statement_count', 'ticket_number']),
      description: expect.stringContaining('`statement_count` finds texts of too many statements (input)'),
    });
    expect(properties.max_statements).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 9,
      description: '`statement_count`: so many statements are allowed.',
    });
    expect(properties.projects).toMatchObject({ type: 'array', items: { type: 'string' } });
  });

  it('is stored as it was written, judges, masks, and says what it found', async () => {
    const rule = {
      name: 'toys',
      connection_ids: [path.connectionId],
      input: { rules: [{ ...count, message: 'One thing at a time.' }] },
      output: { rules: [{ ...ticket, action: 'mask', keep_last: 2 }] },
    };
    const id = await createRule(path.gateway, rule);
    const { body } = await path.gateway.call('auditor', 'GET', `/guardrails/${id}`);
    const always = { words: [], pattern_regex: '' };
    expect(body.input.rules).toEqual([{ ...always, ...rule.input.rules[0] }]);
    expect(body.output.rules).toEqual([{ ...always, ...rule.output.rules[0] }]);
    // The API description contains only the shipped kinds, so answers with these rules violate it.
    for (const fault of foundFaults()) expect(fault).toMatch(/rules\/0/);

    const passed = await path.run(`SELECT 'OPS-1234 and OPS'; SELECT 'DEV-7'`);
    expect([passed.body.output_status, passed.body.output]).toEqual([
      'success',
      expect.stringMatching(/\*\*\*\*34 and OPS[^]*\*\*\*\*-7/),
    ]);
    const blocked = await path.run('SELECT 1; SELECT 2; SELECT 3');
    expect([blocked.body.output_status, blocked.body.output]).toEqual(['blocked', 'One thing at a time.']);
    const session = await path.gateway.call('admin', 'GET', `/sessions/${blocked.body.session_id}`);
    expect(session.body.guardrails_info).toEqual([
      expect.objectContaining({
        rule_name: 'toys',
        matched_words: ['one statement too many'],
      }),
    ]);
  });
});
