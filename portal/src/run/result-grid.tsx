import { Button, Group, Text } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { CopyButton } from '../parts/copy-button';
import { Said } from '../parts/said';
import { saveAs } from '../parts/save-as';
import { beginningOf } from '../parts/text-parts';
import { texts } from '../texts';
import classes from './result-grid.module.css';
import { type ResultTable, csvOf } from './result';

const ROW_HEIGHT = 28;
const COLUMN_WIDTH = 180;
/** Maximum characters of a cell in the grid. Copies and downloads contain the whole cell. */
const SHOWN = 300;

const t = texts.run;

interface Props {
  readonly table: ResultTable;
  /** Name of the grid; numbered if a script has several results. */
  readonly label: string;
  /** Name of the downloaded file, without its extension. */
  readonly name: string;
}

/**
 * Rows of a result. Only visible rows are in the DOM, so that 100 000 rows scroll as fast as 100.
 */
export function ResultGrid({ table, label, name }: Props) {
  const { isCut, columns, rows } = table;
  const scroll = useRef<HTMLDivElement>(null);
  const down = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
  });
  const across = useVirtualizer({
    horizontal: true,
    count: columns.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => COLUMN_WIDTH,
    overscan: 5,
  });
  const size = useMemo(() => texts.run.rows(rows.length, columns.length, isCut), [rows, columns, isCut]);
  return (
    <>
      <Group justify="space-between">
        <Text role="status">{label === t.result ? size : t.sized(label, size)}</Text>
        <Group gap="xs">
          <CopyButton size="compact-sm" action={isCut ? t.copyPart : t.copy} textOf={() => csvOf(table)} />
          <Button
            size="compact-sm"
            variant="default"
            onClick={() =>
              download(csvOf(table), isCut ? `${name}-first-${rows.length}-rows.csv` : `${name}.csv`)
            }
          >
            {isCut ? t.csvPart : t.csv}
          </Button>
        </Group>
      </Group>
      <div
        ref={scroll}
        className={classes['scroll']}
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length}
        tabIndex={0}
      >
        <div
          className={classes['head']}
          role="row"
          aria-rowindex={1}
          style={{ width: across.getTotalSize() }}
        >
          {across.getVirtualItems().map(({ index, start, size }) => (
            <div
              key={index}
              role="columnheader"
              aria-colindex={index + 1}
              className={classes['cell']}
              style={{ transform: `translateX(${start}px)`, width: size }}
            >
              <Said text={columns[index] ?? ''} />
            </div>
          ))}
        </div>
        <div
          role="rowgroup"
          className={classes['body']}
          style={{ height: down.getTotalSize(), width: across.getTotalSize() }}
        >
          {down.getVirtualItems().map((row) => (
            <div
              key={row.index}
              role="row"
              aria-rowindex={row.index + 2}
              className={classes['row']}
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {across.getVirtualItems().map(({ index, start, size }) => (
                <Cell
                  key={index}
                  at={index}
                  start={start}
                  size={size}
                  text={rows[row.index]?.[index] ?? null}
                />
              ))}
            </div>
          ))}
        </div>
      </div>
    </>
  );
}

interface CellProps {
  readonly at: number;
  readonly start: number;
  readonly size: number;
  readonly text: string | null;
}

function Cell({ at, start, size, text }: CellProps) {
  return (
    <div
      role="cell"
      aria-colindex={at + 1}
      className={text === null ? classes['null'] : classes['cell']}
      style={{ transform: `translateX(${start}px)`, width: size }}
    >
      {text === null ? 'NULL' : <Said text={beginningOf(text, SHOWN)} />}
    </div>
  );
}

function download(text: string, name: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  saveAs(address, name);
  URL.revokeObjectURL(address);
}
