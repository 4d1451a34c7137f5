import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { components } from '../api/schema';
import { LongText } from '../parts/long-text';
import { lengthOf } from '../parts/lengths';
import { texts } from '../texts';
import { type ScriptOutput, partsOf } from './result';
import { ResultGrid } from './result-grid';

const t = texts.run;
/** Number of result parts to show at first, and to add per click. Few, because each grid measures itself. */
const SHOWN = 20;
const COLORS = { success: 'green', failed: 'red', blocked: 'red', running: 'blue', waiting: 'blue' } as const;

/** The outcome of a script, with its rows as a grid. */
export function ScriptResult({ of }: { readonly of: components['schemas']['ExecView'] }) {
  const { session_id: id, output_status: status, execution_time: time, truncated, review_id: review } = of;
  return (
    <Stack>
      <Alert color={COLORS[status]} title={t.states[status]} role="status">
        <Text>
          {status === 'waiting' ? t.waits : t.took(time < 1_000 ? `${time} ms` : lengthOf(time / 1000))}
        </Text>
        {truncated && <Text>{t.truncated}</Text>}
        {status === 'waiting' && review !== null ? (
          <Anchor
            c="inherit"
            underline="always"
            renderRoot={(props) => <Link to="/reviews/$id" params={{ id: review }} {...props} />}
          >
            {t.request}
          </Anchor>
        ) : (
          <Anchor
            c="inherit"
            underline="always"
            renderRoot={(props) => <Link to="/sessions/$id" params={{ id }} {...props} />}
          >
            {t.session}
          </Anchor>
        )}
      </Alert>
      <Results key={id} of={of} name={id} />
    </Stack>
  );
}

interface ResultsProps {
  readonly of: ScriptOutput;
  readonly name: string;
}

/** A grid for each statement with rows, and the text between them. */
function Results({ of, name }: ResultsProps) {
  const parts = useMemo(() => partsOf(of), [of]);
  const [shown, setShown] = useState(SHOWN);
  const tables = parts.filter(({ kind }) => kind === 'table');
  const isOne = tables.length === 1;
  return (
    <>
      {parts.slice(0, shown).map((part, at) => {
        if (part.kind === 'text') return <LongText key={at} text={part.text} />;
        const number = tables.indexOf(part) + 1;
        return (
          <ResultGrid
            key={at}
            table={part.table}
            label={isOne ? t.result : t.resultAt(number, tables.length)}
            name={isOne ? name : `${name}-result-${number}`}
          />
        );
      })}
      {parts.length > shown && (
        <Button variant="default" onClick={() => setShown(shown + SHOWN)}>
          {t.moreResults(parts.length - shown)}
        </Button>
      )}
    </>
  );
}
