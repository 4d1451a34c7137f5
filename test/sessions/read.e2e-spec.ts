import { randomUUID } from 'node:crypto';
import { describeDataPath } from '../support/describe';

/** GET /sessions/{session_id}: every parameter, every form, every refusal. */
describeDataPath('reading a session', ({ path }) => {
  const script = "SELECT 'ü' AS a; SELECT 1/0";
  const output = 'a\nü\n';
  const error = 'ERROR: division by zero (SQLSTATE 22012)\n';
  const b64 = (text: string) => Buffer.from(text).toString('base64');
  let id: string;

  beforeAll(async () => {
    id = (await path.run(script, {}, 'alice')).body.session_id;
  });

  const read = async (query = '') => (await path.read(id, query, 'alice')).body;
  const file = async (query: string) => (await path.read(id, query, 'alice')).text;
  const i = [expect.any(Number), 'i', b64(script)];
  const o = [expect.any(Number), 'o', b64(output)];
  const e = [expect.any(Number), 'e', b64(error)];

  // promises: FORMAT-1, SESSION-1, SESSION-2, SESSION-3, SESSION-6, SESSION-12, REVIEW-1, READ-1, READ-11, HTTP-15
  it('shows all but the recording when nothing is asked for', async () => {
    const stored = Buffer.byteLength(script + output + error);
    const answer = await path.read(id, '', 'alice');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body).toEqual({
      id,
      org_id: expect.any(String),
      recording_purged_at: null,
      status: 'done',
      verb: 'exec',
      type: 'database',
      connection: 'orders',
      role_name: 'orders',
      resource_name: '',
      connection_subtype: 'postgres',
      connection_tags: {},
      user: 'alice@example.com',
      user_id: 'alice',
      user_name: 'Alice Engineer',
      identity_type: 'user',
      credential_id: null,
      start_date: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+\.\d+Z$/),
      end_date: expect.stringMatching(/Z$/),
      exit_code: 1,
      script: { data: script },
      script_size: Buffer.byteLength(script),
      event_size: stored,
      event_stream: [],
      session_batch_id: null,
      correlation_id: null,
      reason: null,
      ai_analysis: null,
      review: null,
      hold: null,
      guardrails_info: [],
      integrations_metadata: {},
      labels: {},
      metadata: {},
      metrics: {
        event_size: stored,
        events_received: 3,
        events_stored: 3,
        events_buffered: 0,
        guardrails: { checked: 1, blocked: 0 },
        data_masking: { total_redact_count: 0, transformed_bytes: 0, info_types: {} },
      },
    });
  });

  // promises: SESSION-7, READ-4, READ-5, READ-6, READ-7, READ-8, READ-11, READ-12, READ-13
  it.each([
    ['expand=event_stream', [i, o, e], null],
    ['expand=session_input', [], { data: script }],
    ['expand=event_stream,session_input', [i, o, e], { data: script }],
    ['expand=event_stream&expand=session_input', [i, o, e], { data: script }],
    ['event_stream=utf8', [output + error], { data: script }],
    ['event_stream=base64', [b64(output + error)], { data: script }],
    ['event_stream=raw-queries', [i], { data: script }],
    ['event_stream=utf8&expand=event_stream', [output + error], null],
    ['event_stream=utf8&events=i', [script], { data: script }],
    ['event_stream=base64&events=i,o,e', [b64(script + output + error)], { data: script }],
    ['event_stream=raw-queries&events=o', [], { data: script }],
    ['expand=event_stream&events=o', [o], null],
    ['expand=event_stream&events=e,i', [i, e], null],
    ['expand=event_stream&events=i&events=o,o', [i, o], null],
    ['events=i', [], { data: script }],
  ])('?%s', async (query, stream, input) => {
    expect(await read(`?${query}`)).toMatchObject({ event_stream: stream, script: input });
  });

  // promises: SESSION-8
  it('sizes the stream by its form, and keeps the stored size', async () => {
    const stored = Buffer.byteLength(script + output + error);
    const sizes = async (query: string) => {
      const { event_size, metrics } = await read(query);
      return [event_size, metrics.event_size];
    };
    expect(await sizes('?expand=event_stream')).toEqual([stored, stored]);
    expect(await sizes('?event_stream=utf8')).toEqual([Buffer.byteLength(output + error), stored]);
    expect(await sizes('?event_stream=base64')).toEqual([b64(output + error).length, stored]);
    expect(await sizes('?event_stream=raw-queries')).toEqual([Buffer.byteLength(script), stored]);
  });

  // promises: SESSION-7
  it('times events from the start, in order', async () => {
    const times = ((await read('?expand=event_stream')).event_stream as [number][]).map(([time]) => time);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBeGreaterThanOrEqual(0);
  });

  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

  // promises: READ-3, READ-9, READ-13
  it.each([
    ['extension=csv', '"a"\r\n"ü"\r\n"ERROR: division by zero (SQLSTATE 22012)"\r\n'],
    ['extension=txt', output + error],
    ['extension=log&events=i,o', script + output],
    ['extension=txt&new_line=1', `${output}\n${error}\n`],
    ['extension=txt&newline=1', `${output}\n${error}\n`],
    ['extension=txt&new_line=0&newline=1', output + error],
    ['extension=txt&event_stream=base64', output + error],
  ])('is downloaded with ?%s', async (query, text) => {
    expect(await file(`?${query}`)).toBe(text);
  });

  // promises: READ-2, READ-9, READ-17
  it('is downloaded with the time of each event', async () => {
    const matching = (pattern: string) =>
      new RegExp(`^${pattern.replaceAll('(', '\\(').replaceAll(')', '\\)')}$`);
    expect(await file('?extension=txt&event-time=1')).toMatch(matching(`${time} ${output}${time} ${error}`));
    expect(await file('?extension=txt&event-time=1&new_line=1')).toMatch(
      matching(`${time} ${output}\n${time} ${error}\n`),
    );
    expect(await file('?extension=csv&event-time=1&events=o')).toMatch(
      matching(`"${time}","a"\r\n"${time}","ü"\r\n`),
    );
    const lines = (await file('?extension=json')).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { time: expect.stringMatching(time), type: 'o', stream: output },
      { time: expect.stringMatching(time), type: 'e', stream: error },
    ]);
  });

  // promises: READ-15, READ-17
  it.each([
    ['csv', 'text/csv; charset=utf-8'],
    ['json', 'application/x-ndjson'],
    ['txt', 'text/plain; charset=utf-8'],
    ['SQL2', 'text/plain; charset=utf-8'],
  ])('is an attachment as %s', async (extension, type) => {
    const { headers } = await path.read(id, `?extension=${extension}`);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="orders-${id}-\\d{8}-\\d{6}\\.${extension}"$`),
    );
  });

  // promises: READ-15
  it.each([
    ['../../x', '.._.._x'],
    ['a%22%0d%0aSet-Cookie:x', 'a___Set-Cookie_x'],
    ['.csv', '.csv'],
  ])('is the plain content under a harmless name as %s', async (extension, shown) => {
    const { headers, text } = await path.read(id, `?extension=${extension}`);
    expect(headers.get('content-disposition')?.endsWith(`.${shown}"`)).toBe(true);
    expect(headers.get('set-cookie')).toBeNull();
    expect(text).toBe(output + error);
  });

  // promises: READ-10
  it.each([
    ['event-time=2', 'event-time must be one of 0, 1'],
    ['event-time=true', 'event-time must be one of 0, 1'],
    ['new_line=yes', 'new_line must be one of 0, 1'],
    ['newline=2', 'newline must be one of 0, 1'],
    ['new_line=0&new_line=1', 'new_line must be one of 0, 1'],
    ['event_stream=UTF8', 'event_stream must be one of utf8, base64, raw-queries'],
    ['event_stream=utf8&event_stream=base64', 'event_stream must be one of utf8, base64, raw-queries'],
    ['events=x', 'events must be one of i, o, e'],
    ['events=i,', 'events must be one of i, o, e'],
    ['expand=everything', 'expand must be one of event_stream, session_input'],
    ['expand=event_stream,x', 'expand must be one of event_stream, session_input'],
    [`extension=${'x'.repeat(65)}`, 'extension must be a text of 1 to 64 characters'],
    ['extension=', 'the query parameter extension has no value'],
    ['extension=csv&extension=json', 'extension must be a text of 1 to 64 characters'],
  ])('refuses ?%s', async (query, message) => {
    const answer = await path.read(id, `?${query}`);
    expect([answer.status, answer.body]).toEqual([400, { message }]);
  });

  // promises: READ-14
  it('knows the queries of postgres sessions only', async () => {
    await path.gateway.call('admin', 'POST', '/connections', {
      name: 'tools',
      type: 'application',
      subtype: 'mcpproxy',
      secret: { REMOTE_URL: 'https://mcp.example.com' },
    });
    const other = (await path.run('x', { connection: 'tools' })).body.session_id;
    const answer = await path.read(other, '?event_stream=raw-queries');
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      message: 'event_stream=raw-queries is available for postgres sessions only',
    });
    expect((await path.read(other, '?event_stream=utf8')).status).toBe(200);
  });

  // promises: WHO-3
  it('tells a stranger nothing, not even that it exists', async () => {
    const missing = await path.read(randomUUID(), '', 'bob');
    expect(missing.status).toBe(404);
    for (const query of ['', '?extension=csv', '?event_stream=utf8', '?event_stream=raw-queries']) {
      const foreign = await path.read(id, query, 'bob');
      expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    }
    expect((await path.read(id, '?expand=event_stream', 'auditor')).body.event_stream).toEqual([i, o, e]);
    expect((await path.read(id.toUpperCase(), '', 'alice')).status).toBe(200);
  });

  // promises: READ-10
  it.each(['1', 'null', '%00', '..%2f..%2fusers', '00000000-0000-0000-0000-00000000000g'])(
    'refuses %s for an id',
    async (bad) => {
      const answer = await path.read(bad);
      expect([answer.status, answer.body]).toEqual([400, { message: 'session_id must be a UUID' }]);
    },
  );
});
