import { Alert, Badge, Grid, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useReviewUpdates } from '../api/review-updates';
import { lengthOf } from '../parts/lengths';
import { Loaded } from '../parts/loaded';
import { LongText } from '../parts/long-text';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { Time, fromNow } from '../parts/time';
import { useSession } from '../sessions/session';
import { mayAct, usePerson } from '../shell/person';
import { texts } from '../texts';
import { Decision } from './decision';
import { Emergency } from './emergency';
import { ReviewContext } from './review-context';
import { NextToDecide } from './next-to-decide';
import { REVIEW_COLORS, type Review, sayOf } from './review';
import { reviewQuery } from './review-queries';
import { RunApproved } from './run-approved';
import { SignOff } from './sign-off';
import { UnreviewedMark } from './unreviewed-mark';

const t = texts.reviews;
const route = getRouteApi('/shell/reviews/$id');

/** Page of one request: requester, content, reason, missing approvals, and the forms to decide it. */
export function ReviewPage() {
  const { id } = route.useParams();
  const query = useQuery({ ...reviewQuery(id), refetchInterval: useReviewUpdates() });
  return (
    <Page title={query.data === undefined ? t.request : t.title(query.data)}>
      <Loaded query={query}>{(review) => <Shown review={review} />}</Loaded>
    </Page>
  );
}

function Shown({ review }: { readonly review: Review }) {
  const person = usePerson();
  const { status, review_owner: owner, reason, rejection_reason: why, force_reason: forced } = review;
  const isOwn = owner.id === person.id;
  return (
    <Stack>
      <Group>
        <Badge size="lg" variant="outline" color={REVIEW_COLORS[status]} role="status">
          {t.states[status]}
        </Badge>
        <Text>
          <Said text={t.by(owner)} /> · <Time at={review.created_at} />
        </Text>
        {status === 'PENDING' && <Text>{t.expires(fromNow(review.expires_at))}</Text>}
        <UnreviewedMark of={review} />
        {mayAct(person) && !isOwn && (
          <NextToDecide
            key={review.id}
            review={review}
            isDecided={review.review_groups_data.some(({ reviewed_by: by }) => by?.id === person.id)}
          />
        )}
      </Group>
      {reason !== null && reason !== '' && (
        <Alert color="gray" title={t.reason}>
          <Said text={reason} />
        </Alert>
      )}
      {why !== null && why !== '' && (
        <Alert color="red" title={t.why}>
          <Said text={why} />
        </Alert>
      )}
      <What review={review} />
      <ReviewContext review={review} />
      <Grid>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Missing review={review} isOwn={isOwn} />
          <Groups review={review} />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          {forced !== null && (
            <Text>
              {review.emergency ? t.emergencyWhy : t.forcedWhy} <Said text={forced} />
            </Text>
          )}
          <Text>
            {t.rule} <Said text={review.access_request_rule_name} />
          </Text>
          {status === 'PENDING' && review.force_approval_groups.length > 0 && (
            <Text>
              <Said text={t.mayForce(review.force_approval_groups)} />
            </Text>
          )}
          {review.access_duration > 0 && <Text>{t.duration(lengthOf(review.access_duration))}</Text>}
          {review.time_window !== undefined && review.time_window !== null && (
            <Text>{t.hours(review.time_window.configuration)}</Text>
          )}
        </Grid.Col>
      </Grid>
      {isOwn && review.session_id !== null && <RunApproved id={review.session_id} status={status} />}
      <SignOff review={review} isOwn={isOwn} />
      <Decision review={review} isOwn={isOwn} />
      {isOwn && status === 'PENDING' && <Emergency review={review} />}
    </Stack>
  );
}

/** The requested script, or the requested call with its arguments, or a sentence for time-limited access. */
function What({ review: { session_id: id, call } }: { readonly review: Review }) {
  if (call !== undefined && call !== null)
    return (
      <Stack gap={4}>
        <Text fw={600}>
          {t.tool} <Said text={call.name} />
        </Text>
        <LongText text={call.arguments ?? t.removed} />
      </Stack>
    );
  return id === null ? <Text>{t.access}</Text> : <Script id={id} />;
}

function Script({ id }: { readonly id: string }) {
  const query = useSession(id, ['session_input']);
  return <Loaded query={query}>{({ script }) => <LongText text={script?.data ?? t.removed} />}</Loaded>;
}

/** People who still have to approve, and whether the reader can approve. */
function Missing({ review, isOwn }: { readonly review: Review; readonly isOwn: boolean }) {
  const person = usePerson();
  if (review.missing.length === 0) return null;
  return (
    <Stack gap={4}>
      {review.missing.map((missing) => (
        <Text key={missing.rule}>
          <Said text={t.missing(missing, review.missing.length > 1)} />
        </Text>
      ))}
      {mayAct(person) && <Text>{t.yourSay[sayOf(review, person, isOwn)]}</Text>}
    </Stack>
  );
}

function Groups({ review }: { readonly review: Review }) {
  return (
    <Table>
      <Table.Caption>{t.groups}</Table.Caption>
      <Table.Tbody>
        {review.review_groups_data.map(
          ({ id, group, status, reviewed_by: by, review_date: at, forced_review }) => (
            <Table.Tr key={id}>
              <Table.Td>
                <Said text={group} />
              </Table.Td>
              <Table.Td>
                {/* Below each other on a phone. */}
                <Group gap="xs">
                  <Badge variant="outline" color={REVIEW_COLORS[status]}>
                    {t.states[status]}
                  </Badge>
                  <span>
                    {by !== undefined && by !== null && <Said text={by.name} />} {forced_review && t.forced}
                  </span>
                  {at !== null && <Time at={at} />}
                </Group>
              </Table.Td>
            </Table.Tr>
          ),
        )}
      </Table.Tbody>
    </Table>
  );
}
