import { Anchor, Badge, Button, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { lengthOf } from '../parts/lengths';
import { Listing } from '../parts/listing';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { Time } from '../parts/time';
import { UnreviewedMark } from '../reviews/unreviewed-mark';
import { readsAll, usePerson } from '../shell/person';
import { texts } from '../texts';
import { LedgerVerification } from './ledger-verification';
import { OUTCOME_COLORS, outcomeOf } from './outcome';
import type { Session } from './session';
import { SessionFilterForm } from './session-filter-form';
import type { SessionFilters } from './session-filters';
import { LISTED, sessionsQuery } from './session-queries';

const t = texts.sessions;
const route = getRouteApi('/shell/sessions');

/** Sessions that the person may see, with every filter of the API. The address keeps the filters. */
export function SessionList() {
  const { offset = 0, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const person = usePerson();
  const query = useQuery(sessionsQuery({ ...filters, offset }));
  const set = (search: SessionFilters): void => void navigate({ search });
  return (
    <Page title={readsAll(person) ? t.title : texts.navigation.mySessions}>
      <SessionFilterForm filters={filters} onChange={set} />
      <Loaded query={query}>
        {({ data, total, total_is_capped: capped, has_next_page: more }) => (
          <>
            <Text role="status">{t.total(total, capped)}</Text>
            {data.length > 0 && <Rows sessions={data} />}
            {(offset > 0 || more) && (
              <Group>
                <Button
                  variant="default"
                  disabled={offset === 0}
                  onClick={() => set({ ...filters, offset: Math.max(0, offset - LISTED) })}
                >
                  {t.newer}
                </Button>
                <Button
                  variant="default"
                  disabled={!more}
                  onClick={() => set({ ...filters, offset: offset + LISTED })}
                >
                  {t.older}
                </Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
      {readsAll(person) && <LedgerVerification />}
    </Page>
  );
}

const NONE: readonly Listed[] = [];

function Rows({ sessions }: { readonly sessions: readonly Listed[] }) {
  // Many rows are rendered in slices, so that the page reacts to the next click at once.
  const drawn = useDeferredValue(sessions, NONE);
  return (
    <Listing heads={[t.started, t.filters.user, t.what, t.filters.connection, t.lasted, t.outcome]}>
      {drawn.map((session) => (
        <Table.Tr key={session.id}>
          <Table.Td>
            <Anchor
              renderRoot={(props) => <Link to="/sessions/$id" params={{ id: session.id }} {...props} />}
            >
              <Time at={session.start_date} />
            </Anchor>
          </Table.Td>
          <Table.Td>
            <Said text={session.user_name || session.user} />
          </Table.Td>
          <Table.Td>{t.kinds[session.verb]}</Table.Td>
          <Table.Td>
            <Said text={session.connection} />
          </Table.Td>
          <Table.Td>{lengthLasted(session)}</Table.Td>
          <Table.Td>
            <Outcome session={session} /> <UnreviewedMark of={session.review} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Listing>
  );
}

/** Returns how long an ended session lasted; empty while it runs. */
function lengthLasted({ start_date: start, end_date: end }: Listed): string {
  if (end === null) return '';
  const seconds = (Date.parse(end) - Date.parse(start)) / 1_000;
  return seconds < 0.1 ? t.instant : lengthOf(seconds);
}

type Listed = Pick<
  Session,
  | 'id'
  | 'start_date'
  | 'end_date'
  | 'user_name'
  | 'user'
  | 'connection'
  | 'verb'
  | 'status'
  | 'exit_code'
  | 'guardrails_info'
  | 'review'
>;

function Outcome({ session }: { readonly session: Listed }) {
  const word = outcomeOf(session);
  return (
    <Badge variant="outline" color={OUTCOME_COLORS[word]}>
      {t.outcomes[word]}
    </Badge>
  );
}
