import { reliedOn } from '../../../../test/support/relied-on';
import { SqlSyntaxError, loadParserEngine, parseTree } from './parser-engine';

it('the private parts of libpg-query are as they were: its WebAssembly, and how it hands over a result', async () => {
  const relied = reliedOn('libpg-query', 'src/languages/postgresql/parsing/parser-engine.ts');
  await loadParserEngine();
  const { stmts = [] } = parseTree("SELECT 'ü'") as { stmts?: { stmt: object }[] };
  relied(
    '_wasm_parse_query_raw: tree',
    stmts.map(({ stmt }) => Object.keys(stmt)),
    [['SelectStmt']],
  );
  let fault: unknown;
  try {
    parseTree('SELECT FROM FROM');
  } catch (error) {
    fault = error;
  }
  relied(
    '_wasm_parse_query_raw: error',
    fault instanceof SqlSyntaxError && fault.message,
    'syntax error at or near "FROM"',
  );
});

it('a syntax error costs no stack trace: a call may hold a hundred thousand texts that are no SQL', async () => {
  await loadParserEngine();
  const { stackTraceLimit } = Error;
  let fault: unknown;
  try {
    parseTree('a1');
  } catch (error) {
    fault = error;
  }
  expect(fault).toBeInstanceOf(SqlSyntaxError);
  expect((fault as Error).stack).not.toContain('\n    at ');
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});
