import { COPY_FORMATS, type CopyFormat, drawCopyData } from './copy-data';
import type { Draw } from './draw';
import { bind, close, copyData, copyDone, copyFail, execute, parse, query, sync } from './messages';
import { type Step, step } from './pipeline';

const MOST_PIECES = 6;
/** Name of the prepared statement for COPY. Other steps must not use it, because COPY needs client data. */
export const COPY_STATEMENT = 'copy';

const OUT = [
  'fixed',
  'fixed (b)',
  '(SELECT id, name, amount, tags FROM items ORDER BY id)',
  '(SELECT 1 WHERE false)',
  "(SELECT n, repeat('wide ', 5000) FROM generate_series(1, 20) AS n)",
  '(SELECT n, md5(n::text) FROM generate_series(1, 2000) AS n)',
  '(SELECT 10 / (n - 30) FROM generate_series(1, 60) AS n)',
  '(SELECT FROM generate_series(1, 3))',
  '(SELECT n, noisy(1) FROM generate_series(1, 40) AS n)',
];
const IN = ['pairs', 'pairs (a, b)', 'pairs', 'pairs', 'missing', 'items (id, name)'];

/** Draws a COPY from or to the client, in a Query or in an extended query. */
export function drawCopy(draw: Draw): Step[] {
  const isExtended = draw.once(3);
  if (draw.once(2)) return isExtended ? extendedOut(draw) : simpleOut(draw);
  return isExtended ? extendedIn(draw) : simpleIn(draw);
}

/** COPY formats for a Query of several statements. With rules, the gateway refuses binary COPY in it. */
const IN_COMPANY = ['text', 'csv'] as const;

const drawOut = (draw: Draw, formats: readonly CopyFormat[] = COPY_FORMATS): string =>
  `COPY ${draw.pick(OUT)} TO STDOUT (FORMAT ${draw.pick(formats)})`;

const intoTable = (draw: Draw, format: CopyFormat): string =>
  `COPY ${draw.pick(IN)} FROM STDIN (FORMAT ${format})`;

function simpleOut(draw: Draw): Step[] {
  const sql = draw.once(4)
    ? `${drawOut(draw, IN_COMPANY)}; SELECT 1; ${drawOut(draw, IN_COMPANY)}`
    : drawOut(draw);
  return [step(`Query ${sql}`, query(sql), { readies: 1 })];
}

function extendedOut(draw: Draw): Step[] {
  return [...whole(draw, drawOut(draw)), step('Sync', sync(), { readies: 1 })];
}

/**
 * Draws a Query with one or two COPY FROM STDIN. If `eager`, the data is sent before the server requests it,
 * and the server ignores data that it does not need.
 */
function simpleIn(draw: Draw): Step[] {
  const formats = draw.once(5)
    ? draw.times(2, () => draw.pick(IN_COMPANY))
    : [draw.pick<CopyFormat>(COPY_FORMATS)];
  const sql = formats.map((format) => intoTable(draw, format)).join('; ');
  const eager = draw.once(3);
  const awaits = eager ? 'nothing' : 'copy-simple';
  return [
    step(`Query ${sql}`, query(sql), { readies: 1, awaits }),
    ...formats.map((format) => ({ ...dataStep(draw, format), onlyInCopy: !eager, awaits }) as const),
  ];
}

function extendedIn(draw: Draw): Step[] {
  const format = draw.pick(COPY_FORMATS);
  const steps = whole(draw, intoTable(draw, format));
  if (draw.once(3)) return [...steps, ...synchronizedIn(draw, format)];
  const eager = draw.once(3);
  const last = steps.length - 1;
  return [
    ...steps.map((each, index) =>
      index === last && !eager ? { ...each, awaits: 'copy-extended' as const } : each,
    ),
    { ...dataStep(draw, format), onlyInCopy: !eager },
    step('Sync', sync(), { readies: 1 }),
  ];
}

/** Sends a Sync before the data and after it, as libpq does. The server ignores the first during a COPY. */
function synchronizedIn(draw: Draw, format: CopyFormat): Step[] {
  const { label, bytes } = dataStep(draw, format);
  return [
    step('Sync before the data', sync(), { readies: 1, awaits: 'copy-simple' }),
    step(`${label}, Sync`, [bytes, sync()], { onlyInCopy: true }),
  ];
}

function whole(draw: Draw, sql: string): Step[] {
  const closed = step(`Close S "${COPY_STATEMENT}"`, close('S', COPY_STATEMENT), { answers: 1 });
  return [
    ...(draw.once(5) ? [] : [closed]),
    step(`Parse "${COPY_STATEMENT}" ${sql}`, parse(COPY_STATEMENT, sql), { answers: 1 }),
    step('Bind', bind({ portal: '', statement: COPY_STATEMENT, values: [], resultFormats: [] }), {
      answers: 1,
    }),
    step('Execute', execute(''), { answers: 1 }),
  ];
}

/** Draws COPY data, cut into messages at any byte, then CopyDone or CopyFail. */
function dataStep(draw: Draw, format: CopyFormat): Step {
  const pieces = draw.pieces(drawCopyData(draw, format), MOST_PIECES);
  // Adds empty CopyData messages, which are valid.
  while (draw.once(4)) pieces.push(Buffer.alloc(0));
  const gaveUp = draw.once(6);
  const end = gaveUp ? copyFail('the client gave up') : copyDone();
  const bytes = pieces.reduce((sum, { length }) => sum + length, 0);
  const label = `CopyData ${format}, ${bytes} bytes in ${pieces.length}, ${gaveUp ? 'CopyFail' : 'CopyDone'}`;
  return step(label, [...pieces.map(copyData), end]);
}
