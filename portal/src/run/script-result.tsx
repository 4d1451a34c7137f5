import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { components } from '../api/schema';
import { LongText } from '../parts/long-text';
import { lengthOf } from '../parts/lengths';
import { texts } from '../texts';
import { tableOf } from './result';
import { ResultGrid } from './result-grid';

const t = texts.run;
const COLORS = { success: 'green', failed: 'red', blocked: 'red', running: 'blue', waiting: 'blue' } as const;

/** What became of a script, with its rows as a grid. */
export function ScriptResult({ of }: { readonly of: components['schemas']['ExecView'] }) {
  const {
    session_id: id,
    output,
    output_status: status,
    execution_time: time,
    truncated,
    review_id: review,
  } = of;
  // Of a row that was cut off, nothing is shown as if it were all.
  const whole = truncated ? output.slice(0, output.lastIndexOf('\n') + 1) : output;
  const table = status === 'success' ? tableOf(whole, truncated) : undefined;
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
      {table === undefined ? (
        output !== '' && <LongText text={output} />
      ) : (
        <ResultGrid table={table} name={id} />
      )}
    </Stack>
  );
}
