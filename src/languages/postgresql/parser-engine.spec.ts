import { reliedOn } from '../../../test/support/relied-on';
import { SqlSyntaxError, loadParserEngine, parseTree } from './parser-engine';

it('the private parts of libpg-query are as they were: its WebAssembly, and how it hands over a result', async () => {
  const relied = reliedOn('libpg-query', 'src/languages/postgresql/parser-engine.ts');
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
