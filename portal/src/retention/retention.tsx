import { Alert, Stack, Table, Text, Title } from '@mantine/core';
import { api } from '../api/client';
import { queries } from '../api/queries';
import type { components } from '../api/schema';
import { FactRow, Facts } from '../parts/facts';
import { Listing } from '../parts/listing';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { SureButton } from '../parts/sure-button';
import { Time } from '../parts/time';
import { isAdmin, usePerson } from '../shell/person';
import { texts } from '../texts';

type Retention = components['schemas']['RetentionView'];

const t = texts.retention;
/** Poll intervals while a removal runs, and otherwise; the schedule or another user may start a removal. */
const ASKED_EVERY_MS = 2_000;
const ASKED_ANYWAY_EVERY_MS = 30_000;

/** Recordings that are removed because their retention has ended, and the progress of the removal. */
export function RetentionPage() {
  return (
    <Page title={t.title}>
      <Text>{t.explained}</Text>
      <One />
    </Page>
  );
}

function One() {
  const person = usePerson();
  const query = api.useQuery(
    'get',
    '/retention',
    {},
    {
      refetchInterval: ({ state: { data } }) =>
        data?.running === true ? ASKED_EVERY_MS : ASKED_ANYWAY_EVERY_MS,
    },
  );
  return (
    <Loaded query={query}>
      {(retention) => (
        <Stack>
          <State retention={retention} />
          {isAdmin(person) && <Start isRunning={retention.running} />}
          <Title order={2} size="h4">
            {t.runs}
          </Title>
          {retention.runs.length === 0 ? <Text>{t.noRuns}</Text> : <Runs runs={retention.runs} />}
        </Stack>
      )}
    </Loaded>
  );
}

function State({ retention }: { readonly retention: Retention }) {
  const {
    running,
    due,
    purged,
    bytes,
    held_back: held,
    waiting,
    last_finished_at: last,
    last_error: error,
  } = retention;
  const counts = [
    [t.due, due],
    [t.purged, purged],
    [t.bytes, bytes],
    [t.held, held],
    [t.waiting, waiting],
  ] as const;
  return (
    <>
      {error !== null && (
        <Alert color="red" title={t.error}>
          <Said text={error} />
        </Alert>
      )}
      <Facts>
        <FactRow name={t.state}>{running ? t.running : t.idle}</FactRow>
        <FactRow name={t.last}>{last === null ? t.never : <Time at={last} />}</FactRow>
        {counts.map(([name, count]) => (
          <FactRow key={name} name={name}>
            {count.toLocaleString()}
          </FactRow>
        ))}
      </Facts>
    </>
  );
}

function Start({ isRunning }: { readonly isRunning: boolean }) {
  const start = api.useMutation('post', '/retention/runs', {
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/retention'] }),
  });
  return (
    <Stack align="start">
      <SureButton
        label={t.start}
        explained={t.startExplained}
        isPending={start.isPending || isRunning}
        fault={start.error}
        onSure={(done) => start.mutate({}, { onSuccess: done })}
        onLeft={start.reset}
      />
    </Stack>
  );
}

function Runs({ runs }: { readonly runs: Retention['runs'] }) {
  return (
    <Listing
      heads={[t.started, t.by, t.finished, t.outcome, t.due, t.purged, t.bytes, t.removed, t.months, t.held]}
    >
      {runs.map((run) => (
        <Table.Tr key={run.id}>
          <Table.Td>
            <Time at={run.started_at} />
          </Table.Td>
          <Table.Td>{run.started_by === null ? t.schedule : <Said text={run.started_by} />}</Table.Td>
          <Table.Td>{run.finished_at !== null && <Time at={run.finished_at} />}</Table.Td>
          <Table.Td>
            {t.outcomes[run.outcome]} <Said text={run.error ?? ''} />
          </Table.Td>
          {[run.due, run.purged, run.bytes, run.removed, run.months_dropped, run.held_back].map(
            (count, at) => (
              <Table.Td key={at}>{count.toLocaleString()}</Table.Td>
            ),
          )}
        </Table.Tr>
      ))}
    </Listing>
  );
}
