import { Alert, Anchor, Badge, Code, Group, Stack, Tabs, Text } from '@mantine/core';
import { Link, getRouteApi } from '@tanstack/react-router';
import { lazy } from 'react';
import { useKind } from '../api/choices';
import { FactRow, Facts } from '../parts/facts';
import { LazyPart } from '../parts/lazy-part';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { patiently } from '../parts/patiently';
import { Said } from '../parts/said';
import { textIn } from '../parts/text-in';
import { Time } from '../parts/time';
import { UnreviewedMark } from '../reviews/unreviewed-mark';
import { readsAll, usePerson } from '../shell/person';
import { texts } from '../texts';
import { Calls } from './calls';
import { Downloads } from './downloads';
import { Recording } from './recording';
import { OUTCOME_COLORS, outcomeOf } from './outcome';
import { type Session, useSession } from './session';
import { SessionChanges } from './session-changes';
import { Verification } from './verification';

const Player = lazy(patiently(() => import('./player')));
const t = texts.session;
const route = getRouteApi('/shell/sessions/$id');

/**
 * Page of one session: its facts, guardrail hits, review and recording, and the actions on it.
 */
export function SessionPage() {
  const { id } = route.useParams();
  const query = useSession(id);
  return (
    <Page title={query.data === undefined ? t.title : t.of(query.data)}>
      <Loaded query={query}>{(session) => <Shown session={session} />}</Loaded>
    </Page>
  );
}

function Shown({ session }: { readonly session: Session }) {
  const person = usePerson();
  const { guardrails_info: hits, review, recording_purged_at: purged, connection_subtype: subtype } = session;
  const hasCalls = useKind(subtype)?.has_mcp_policy;
  return (
    <Stack>
      <SessionFacts session={session} />
      {hits.map((hit, at) => (
        <Alert key={at} color="red" title={<Said text={t.hit(hit.direction, hit.rule_name)} />}>
          <Said text={hit.message} />
          {hit.matches?.map(({ start, text }) => (
            <Code key={start} block>
              <Said text={text} />
            </Code>
          ))}
        </Alert>
      ))}
      {review !== undefined && review !== null && (
        <Text>
          <Said
            text={t.reviewed(
              review.access_request_rule_name,
              texts.reviews.states[review.status],
              review.review_groups_data.flatMap(({ reviewed_by: by }) => by?.name ?? []),
            )}
          />{' '}
          <Anchor renderRoot={(props) => <Link to="/reviews/$id" params={{ id: review.id }} {...props} />}>
            {texts.reviews.request}
          </Anchor>{' '}
          <UnreviewedMark of={review} />
        </Text>
      )}
      <SessionChanges session={session} />
      {purged === null ? (
        <Tabs defaultValue="recording" keepMounted={false}>
          <Tabs.List aria-label={t.views}>
            <Tabs.Tab value="recording">{t.recording}</Tabs.Tab>
            {hasCalls && <Tabs.Tab value="calls">{t.calls}</Tabs.Tab>}
            <Tabs.Tab value="player">{t.player}</Tabs.Tab>
            {readsAll(person) && <Tabs.Tab value="verification">{t.verification}</Tabs.Tab>}
            <Tabs.Tab value="downloads">{t.downloads}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="recording" pt="md">
            <Recording session={session} />
          </Tabs.Panel>
          <Tabs.Panel value="calls" pt="md">
            <Calls id={session.id} />
          </Tabs.Panel>
          <Tabs.Panel value="player" pt="md">
            <LazyPart>
              <Player id={session.id} />
            </LazyPart>
          </Tabs.Panel>
          <Tabs.Panel value="verification" pt="md">
            <Verification id={session.id} />
          </Tabs.Panel>
          <Tabs.Panel value="downloads" pt="md">
            <Downloads id={session.id} />
          </Tabs.Panel>
        </Tabs>
      ) : (
        <Alert color="gray">
          {t.purged} <Time at={purged} />
        </Alert>
      )}
    </Stack>
  );
}

function SessionFacts({ session }: { readonly session: Session }) {
  const person = usePerson();
  const note = textIn(session.metadata['note']);
  const { user_name: name, user, connection, verb, start_date: start, end_date: end, reason } = session;
  return (
    <Facts>
      <FactRow name={texts.sessions.filters.user}>
        <Said text={name === '' ? user : `${name} (${user})`} />
      </FactRow>
      <FactRow name={texts.sessions.filters.connection}>
        <Said text={connection} />{' '}
        {readsAll(person) && (
          <Anchor renderRoot={(props) => <Link to="/why" search={{ user, connection, verb }} {...props} />}>
            {texts.why.title}
          </Anchor>
        )}
      </FactRow>
      <FactRow name={texts.sessions.filters.status}>
        <Group gap="xs">
          <Badge variant="outline" color={OUTCOME_COLORS[outcomeOf(session)]}>
            {texts.sessions.outcomes[outcomeOf(session)]}
          </Badge>
          <Text>{texts.sessions.kinds[verb]}</Text>
          {session.exit_code !== null && <Text>{t.exit(session.exit_code)}</Text>}
        </Group>
      </FactRow>
      <FactRow name={texts.sessions.started}>
        <Time at={start} /> {end !== null && '–'} {end !== null && <Time at={end} />}
      </FactRow>
      {note !== '' && (
        <FactRow name={t.note}>
          <Said text={note} />
        </FactRow>
      )}
      {reason !== null && (
        <FactRow name={texts.run.reason}>
          <Said text={reason} />
        </FactRow>
      )}
    </Facts>
  );
}
