import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import type { Browser } from 'playwright-core';
import { harmlessCell } from '../../../src/sessions/reading/rendering/csv-text';
import { describeInBrowser, startChromium } from '../../support/chromium';
import { type DataPath, startDataPath } from '../../support/data-path';
import { eventually } from '../../support/eventually';
import { createRule } from '../../support/guardrails';
import {
  IDENTIFIER_BYTES,
  copied,
  furnishDatabase,
  nameColumns,
  storeTexts,
} from '../../support/portal/hostile-database';
import { HostileFields, valuesOf } from '../../support/portal/hostile-fields';
import { type Proof, startProof } from '../../support/portal/hostile-proof';
import { HOSTILE_TEXTS } from '../../support/portal/hostile-texts';

/** Number of characters that the gateway stores of a text that a guardrail matched. */
const MATCHED = 256;

describeInBrowser('texts of databases', () => {
  let browser: Browser;
  let path: DataPath;

  beforeAll(async () => {
    [browser, path] = await Promise.all([startChromium(), startDataPath()]);
    await furnishDatabase(path.target);
  });
  afterAll(async () => {
    await browser.close();
    await path.close();
  });

  /** Runs a script in the page, as a person does, and inspects the result. */
  async function run({ page, tour }: Proof, script: string): Promise<void> {
    await page.getByRole('textbox', { name: 'SQL', exact: true }).focus();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText(script);
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await tour.seen();
  }

  /** Runs a script by the API. Returns the address of its session. */
  async function ranOn(connection: string, script: string): Promise<string> {
    const { body } = await path.run(script, { connection });
    return `/sessions/${body.session_id as string}`;
  }

  // promises: PORTAL-7
  it('are text where SQL is run', async () => {
    const fields = new HostileFields();
    const rows = fields.add('ra', 'cells of a result');
    const names = fields.add('rc', 'names of columns', { bytes: IDENTIFIER_BYTES });
    await storeTexts(path.target, 'ra', rows);
    await nameColumns(path.target, 'rc', names);
    await storeTexts(path.target, 'rn', fields.add('rn', 'notices'));
    await storeTexts(path.target, 'rm', fields.add('rm', 'messages of errors'));
    await storeTexts(path.target, 'rd', fields.add('rd', 'details of errors'));
    await storeTexts(path.target, 'rh', fields.add('rh', 'hints of errors'));
    const permissions = ['clipboard-read', 'clipboard-write'];
    const proof = await startProof(browser, path.gateway, 'admin', { permissions });
    const { page } = proof;
    await proof.tour.pass('/run?connection=orders');
    await run(proof, `SELECT text FROM hostile WHERE field = 'ra' ORDER BY at`);
    await page.getByRole('button', { name: 'Copy as CSV', exact: true }).click();
    const copy = await eventually('the copy', () => page.evaluate<string>('navigator.clipboard.readText()'));
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV', exact: true }).click();
    const file = await readFile(await (await coming).path(), 'utf8');
    await proof.watched.look();
    await run(proof, 'SELECT * FROM names_rc');
    await run(proof, `SELECT say('rn')`);
    await run(proof, `SELECT fail('rm', 'rd', 'rh')`);
    await proof.close();
    proof.expectAll(fields);
    const cells = ['text', ...rows].map((text) => [harmlessCell(text)]);
    expect(parse(copy, { record_delimiter: '\r\n' })).toEqual(cells);
    expect(file).toBe(copy);
  }, 120_000);

  // promises: PORTAL-7
  it('are text on the pages of sessions', async () => {
    const fields = new HostileFields();
    for (const [field, what] of Object.entries({
      so: 'rows of output',
      sw: 'notices in the output',
      sm: 'errors in the output',
    })) {
      const isRows = field === 'so';
      fields.add(field, what, isRows ? { as: copied } : {});
      await storeTexts(path.target, field, textsOf(field));
    }
    fields.add('sc', 'names of columns in the output', { as: copied, bytes: IDENTIFIER_BYTES });
    await nameColumns(path.target, 'sc', textsOf('sc', IDENTIFIER_BYTES));
    fields.add('sh', 'output that a guardrail stopped', { as: copied });
    await storeTexts(path.target, 'sh', valuesOf(textsOf('sh'), MATCHED / 2));
    const connectionId = await path.connect('screened');
    await createRule(path.gateway, {
      name: 'no strings',
      output: { rules: [{ type: 'pattern_match', words: [], pattern_regex: '[^\\n]*~sh' }] },
      connection_ids: [connectionId],
    });
    const sessions = [
      await ranOn('orders', `SELECT text FROM hostile WHERE field = 'so' ORDER BY at; SELECT say('sw')`),
      await ranOn('orders', `SELECT * FROM names_sc; SELECT fail('sm', 'none', 'none')`),
      // A match stops the output, so the gateway stores only the matches in one chunk of output. Runs three
      // queries, because a chunk has room for a third of the strings.
      await ranOn('screened', `SELECT text FROM hostile WHERE field = 'sh' AND at % 3 = 0`),
      await ranOn('screened', `SELECT text FROM hostile WHERE field = 'sh' AND at % 3 = 1`),
      await ranOn('screened', `SELECT text FROM hostile WHERE field = 'sh' AND at % 3 = 2`),
    ];
    const proof = await startProof(browser, path.gateway, 'admin');
    for (const session of sessions) await proof.tour.visit(session);
    await proof.close();
    proof.expectAll(fields);
  }, 120_000);

  // promises: PORTAL-7
  it('are what a terminal shows in the player, and no more', async () => {
    /** Number of lines in one recorded event. It is smaller than the number of lines of the terminal. */
    const LINES = 30;
    /** Seconds between events. The player would draw faster events together. */
    const FRAME = 0.03;
    /** Ends control sequences, character sets and styles that the text before it has begun. */
    const END = '\u0018\u001b\\\u000f\u001b[0m';
    const SHAPED = /[\p{C}\p{M}\p{Zl}\p{Zp}\u2800]|\p{Default_Ignorable_Code_Point}/u;
    // A terminal obeys some characters, and joins others into one cell, so texts with them cannot be found in
    // it. For these texts, the test looks for the line after them.
    const obeyed = HOSTILE_TEXTS.filter((text) => SHAPED.test(text));
    const ends = obeyed.map((_, at) => `#${at}~pz`);
    const plain = HOSTILE_TEXTS.filter((text) => !SHAPED.test(text));
    const shown = plain.map((text) => `${text}~pl`);
    await storeTexts(path.target, 'pl', shown);
    await storeTexts(
      path.target,
      'pz',
      obeyed.map((text, at) => `${text}${END}\n${ends[at]}`),
    );
    const pieces = Array.from(
      { length: Math.ceil(shown.length / LINES) },
      (_, at) =>
        `SELECT text FROM hostile WHERE field = 'pl' AND at BETWEEN ${at * LINES + 1} AND ${(at + 1) * LINES}; SELECT say('pz', ${at + 1}, ${at + 1}, ${FRAME})`,
    );
    const session = await ranOn('orders', `${pieces.join('; ')}; SELECT say('pz', 1, 1000, ${FRAME})`);
    const proof = await startProof(browser, path.gateway, 'admin');
    const { page, watched } = proof;
    await proof.openTab(session, 'Player');
    const title = await page.title();
    await page.locator('.ap-wrapper').focus();
    // The first step loads the recording. The player ignores steps until then.
    await page.keyboard.press('.');
    await page.locator('.ap-term-text').getByText('~pl').first().waitFor();
    const unseen = () => [...watched.unseen('pl', shown.map(asCells)), ...watched.unseen('pz', ends)];
    for (let step = 0; step < obeyed.length + 4 * pieces.length && unseen().length > 0; step++) {
      await page.keyboard.press('.');
      await page.evaluate(
        'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))',
      );
      await watched.look();
    }
    expect(unseen()).toEqual([]);
    expect(await page.title()).toBe(title);
    await proof.close();
    expect([...watched.faults]).toEqual([]);
    expect(shown.length).toBeGreaterThanOrEqual(300);
    process.stdout.write(
      `the player: ${shown.length} strings shown as text, ${ends.length} obeyed by the terminal alone\n`,
    );
  }, 120_000);
});

/** Returns the hostile strings for a field whose form in the recording has at most `bytes` bytes. */
function textsOf(field: string, bytes = Infinity): string[] {
  return HOSTILE_TEXTS.map((text) => `${text}~${field}`).filter(
    (text) => Buffer.byteLength(copied(text)) <= bytes,
  );
}

/** Returns a text without blanks, because blanks are not visible in the cells of a terminal. */
function asCells(text: string): string {
  return copied(text).replaceAll(/\s/g, '');
}
