import { Alert, Anchor, Badge, Group, List, Stack, Table, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { api } from '../api/client';
import type { components } from '../api/schema';
import { Difference } from '../parts/difference';
import { Loaded } from '../parts/loaded';
import { Said } from '../parts/said';
import { Time } from '../parts/time';
import { useSession } from '../sessions/session';
import { texts } from '../texts';
import { REVIEW_COLORS, type Review } from './review';

type Context = components['schemas']['ReviewContextView'];
type Statement = components['schemas']['ReviewedStatementView'];

/** Poll interval, because no event reports sessions that begin under an approval. */
const ASKED_EVERY_MS = 10_000;

const t = texts.reviews;

/** Facts for deciding a request: effects of its script, earlier approved requests, sessions of its grant. */
export function ReviewContext({ review }: { readonly review: Review }) {
  const query = api.useQuery(
    'get',
    '/reviews/{id}/context',
    { params: { path: { id: review.id } } },
    { refetchInterval: review.type === 'jit' && review.status === 'APPROVED' ? ASKED_EVERY_MS : false },
  );
  return (
    <Loaded query={query}>
      {({ script, earlier, sessions }) => (
        <Stack>
          {script && <Statements script={script} />}
          <Earlier review={review} earlier={earlier} />
          {review.type === 'jit' && <Sessions sessions={sessions} />}
        </Stack>
      )}
    </Loaded>
  );
}

function Statements({ script }: { readonly script: NonNullable<Context['script']> }) {
  const { fault, statements, total } = script;
  if (fault !== null)
    return (
      <Alert color="yellow" title={t.unreadable}>
        <Said text={fault} />
      </Alert>
    );
  return (
    <Table>
      <Table.Caption>{t.statements(total, statements.length)}</Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t.kinds}</Table.Th>
          <Table.Th>{t.tables}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {statements.map((statement) => (
          <Table.Tr key={statement.start}>
            <Table.Td>
              <Group gap={4}>
                {statement.kinds.map((kind) => (
                  <Badge key={kind} variant="outline">
                    {kind}
                  </Badge>
                ))}
                {statement.without_where && <Badge color="red">{t.allRows}</Badge>}
              </Group>
              {statement.hidden.map((reason) => (
                <Text key={reason} size="sm">
                  <Said text={t.hidden(reason)} />
                </Text>
              ))}
            </Table.Td>
            <Table.Td>
              <Said text={tablesOf(statement)} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function tablesOf({ tables }: Statement): string {
  return tables
    .map(({ schema, name, is_written }) => {
      const full = schema === null ? name : `${schema}.${name}`;
      return is_written ? t.written(full) : full;
    })
    .join(', ');
}

function Earlier({ review, earlier }: { readonly review: Review; readonly earlier: readonly Review[] }) {
  const [last] = earlier;
  if (last === undefined) return <Text>{t.noneEarlier}</Text>;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">
        {t.earlier}
      </Title>
      <Changed review={review} last={last} />
      <List>
        {earlier.map((one) => (
          <List.Item key={one.id}>
            <Anchor renderRoot={(props) => <Link to="/reviews/$id" params={{ id: one.id }} {...props} />}>
              {t.title(one)}
            </Anchor>{' '}
            <Time at={one.created_at} />{' '}
            <Badge variant="outline" size="sm" color={REVIEW_COLORS[one.status]}>
              {t.states[one.status]}
            </Badge>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}

/**
 * Shows what changed since the last approved request. For calls, compares only the tools, because the
 * gateway removes the arguments of a call after it ran.
 */
function Changed({ review, last }: { readonly review: Review; readonly last: Review }) {
  const [call, before] = [review.call, last.call];
  if (call && before)
    return (
      <Text>
        {call.name !== before.name
          ? t.otherTool
          : call.fingerprint === before.fingerprint
            ? t.sameTool
            : t.changedTool}
      </Text>
    );
  if (review.session_id === null || last.session_id === null) return null;
  return <ChangedScript id={review.session_id} before={last.session_id} />;
}

function ChangedScript({ id, before }: { readonly id: string; readonly before: string }) {
  const now = useSession(id, ['session_input']);
  const then = useSession(before, ['session_input']);
  const [script, old] = [now.data?.script?.data, then.data?.script?.data];
  if (script === undefined || old === undefined) return null;
  if (script === old) return <Text>{t.sameScript}</Text>;
  return (
    <Stack gap={4}>
      <Text>{t.changedScript}</Text>
      <Difference before={old} after={script} />
    </Stack>
  );
}

function Sessions({ sessions }: Pick<Context, 'sessions'>) {
  if (sessions.length === 0) return <Text>{t.noSessions}</Text>;
  return (
    <Table>
      <Table.Caption>{t.sessions}</Table.Caption>
      <Table.Tbody>
        {sessions.map(({ id, user, start_date: start, status }) => (
          <Table.Tr key={id}>
            <Table.Td>
              <Anchor renderRoot={(props) => <Link to="/sessions/$id" params={{ id }} {...props} />}>
                <Time at={start} />
              </Anchor>
            </Table.Td>
            <Table.Td>
              <Said text={user} />
            </Table.Td>
            <Table.Td>{texts.sessions.outcomes[status === 'done' ? 'clean' : status]}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
