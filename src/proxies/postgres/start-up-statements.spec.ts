import { labelOf, labelStatement, startUpStatements } from './start-up-statements';

const statements = (settings: Record<string, string>) => startUpStatements(Object.entries(settings));

describe('startUpStatements', () => {
  it.each([
    ['role', 'boss', "SET role TO 'boss';"],
    ['ROLE', "o'neil", "SET ROLE TO 'o''neil';"],
    ['work_mem', '64MB', "SET work_mem TO '64MB';"],
    ['my.setting', 'x\\', "SET my.setting TO 'x\\';"],
    ['my.weird name', '', `SET my."weird name" TO '';`],
    ['session', 'x', `SET "session" TO 'x';`],
    ['a"; DROP TABLE t; --', "'", `SET "a""; DROP TABLE t; --" TO '''';`],
    ['search_path', '"$user", Public ,"A ""b"""', `SET search_path TO '$user', 'public', 'A "b"';`],
    ['Search_Path', '', "SET Search_Path TO '';"],
    // The value `a b` is not a valid list, so the server refuses it both as a list and as one string.
    ['search_path', 'a b', "SET search_path TO 'a b';"],
    ['search_path', 'a,,b', "SET search_path TO 'a,,b';"],
    ['local_preload_libraries', 'A b, "c"', "SET local_preload_libraries TO 'A b', 'c';"],
    ['DateStyle', 'ISO, MDY', "SET DateStyle TO 'ISO, MDY';"],
  ])('%s with %j is %s', (name, value, expected) => {
    expect(statements({ [name]: value }).recorded).toBe(expected);
  });

  it('is one statement for each setting, in their order, and is judged in all ways to write it', () => {
    const { recorded, judged } = statements({ role: 'a', TimeZone: 'UTC', session_authorization: 'b' });
    expect(recorded).toBe("SET role TO 'a';\nSET TimeZone TO 'UTC';\nSET session_authorization TO 'b';");
    expect(judged.map(({ text, as }) => `${as} ${text as string}`)).toEqual([
      "input SET role TO 'a'",
      "input SET role = 'a'",
      "input SET ROLE 'a'",
      "input SET TimeZone TO 'UTC'",
      "input SET TimeZone = 'UTC'",
      "input SET TIME ZONE 'UTC'",
      "input SET session_authorization TO 'b'",
      "input SET session_authorization = 'b'",
      "input SET SESSION AUTHORIZATION 'b'",
    ]);
  });

  it('leaves the label out, which is held against rules about text alone', () => {
    const settings = [
      ['application_name', 'x'],
      ['Application_Name', "Bob's"],
    ] as const;
    expect(startUpStatements(settings)).toEqual({ judged: [], recorded: '' });
    expect(labelOf(settings)).toBe("Bob's");
    expect(labelStatement(settings)).toEqual({ text: "SET application_name TO 'Bob''s'", as: 'value' });
    expect(labelStatement([])).toBeUndefined();
  });
});
