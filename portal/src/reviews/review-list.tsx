import { Anchor, Badge, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useReviewUpdates } from '../api/review-updates';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { Said } from '../parts/said';
import { beginningOf } from '../parts/text-parts';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { REVIEW_COLORS, type Review, decidersOf } from './review';
import { myRequestsQuery, toDecideQuery, toSignOffQuery } from './review-queries';
import { UnreviewedMark } from './unreviewed-mark';

const t = texts.reviews;
const toDecide = getRouteApi('/shell/reviews');
const toSignOff = getRouteApi('/shell/sign-offs');
const requested = getRouteApi('/shell/requests');

/** Reviews that wait for a vote of the signed-in user, the oldest first. */
export function ToDecide() {
  const { page = 1 } = toDecide.useSearch();
  const navigate = toDecide.useNavigate();
  return (
    <OfOthers
      title={t.toDecide}
      none={t.nothingToDecide}
      query={useReviews(toDecideQuery({ page }))}
      onPage={(to) => void navigate({ search: { page: to } })}
    />
  );
}

/** Forced approvals and emergencies that the signed-in user may sign off, the oldest first. */
export function ToSignOff() {
  const { page = 1 } = toSignOff.useSearch();
  const navigate = toSignOff.useNavigate();
  return (
    <OfOthers
      title={t.toSignOff}
      none={t.nothingToSignOff}
      query={useReviews(toSignOffQuery({ page }))}
      onPage={(to) => void navigate({ search: { page: to } })}
    />
  );
}

interface OfOthersProps {
  readonly title: string;
  readonly none: string;
  readonly query: ReturnType<typeof useReviews>;
  readonly onPage: (page: number) => void;
}

/** Other people's requests that wait for the signed-in user. The title contains their number. */
function OfOthers({ title, none, query, onPage }: OfOthersProps) {
  const count = query.data?.pages.total ?? 0;
  return (
    <Page title={count === 0 ? title : `(${count}) ${title}`}>
      <PagedList query={query} none={none} onPage={onPage}>
        {(rows) => (
          <Reviews reviews={rows}>
            {({ review_owner: owner }) => <Said text={owner.name || owner.email} />}
          </Reviews>
        )}
      </PagedList>
    </Page>
  );
}

/** The signed-in user's own requests, the newest first. */
export function MyRequests() {
  const { page = 1 } = requested.useSearch();
  const navigate = requested.useNavigate();
  const query = useReviews(myRequestsQuery({ page }));
  return (
    <Page title={t.mine}>
      <PagedList query={query} none={t.nothingAsked} onPage={(to) => void navigate({ search: { page: to } })}>
        {(rows) => <Reviews reviews={rows} />}
      </PagedList>
    </Page>
  );
}

/** Reads a list of reviews, and reads it again when a review changes. */
export function useReviews(query: ReturnType<typeof toDecideQuery>) {
  return useQuery({ ...query, refetchInterval: useReviewUpdates() });
}

interface Props {
  readonly reviews: readonly Review[];
  /** Whether the list shows the people who decided. */
  readonly hasDeciders?: true;
  /** Renders the requester of a review; absent in the list of the user's own requests. */
  readonly children?: (review: Review) => ReactNode;
}

export function Reviews({ reviews, hasDeciders, children: who }: Props) {
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.what}</Table.Th>
            {who !== undefined && <Table.Th>{t.who}</Table.Th>}
            <Table.Th>{t.asked}</Table.Th>
            <Table.Th>{t.state}</Table.Th>
            {hasDeciders && <Table.Th>{t.decidedBy}</Table.Th>}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reviews.map((review) => (
            <Table.Tr key={review.id}>
              <Table.Td>
                <What review={review} />
              </Table.Td>
              {who !== undefined && <Table.Td>{who(review)}</Table.Td>}
              <Table.Td>
                <Time at={review.created_at} />
              </Table.Td>
              <Table.Td>
                <Badge variant="outline" color={REVIEW_COLORS[review.status]}>
                  {t.states[review.status]}
                </Badge>{' '}
                <UnreviewedMark of={review} />
              </Table.Td>
              {hasDeciders && (
                <Table.Td>
                  <Said text={decidersOf(review).join(', ')} />
                </Table.Td>
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

/** Maximum length of what would run, in UTF-16 code units. Two lines of it are seen. */
const SHOWN = 600;

/** The request as a link, with the beginning of what would run, and the reason. */
function What({ review }: { readonly review: Review }) {
  // The gateway sends all arguments of a call, but only the beginning of a script.
  const beginning = beginningOf(review.call?.arguments ?? review.script_start ?? '', SHOWN);
  return (
    <Stack gap={0}>
      <Anchor renderRoot={(props) => <Link to="/reviews/$id" params={{ id: review.id }} {...props} />}>
        <Said text={t.title(review)} />
      </Anchor>
      {beginning !== '' && (
        <Text size="sm" ff="monospace" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          <Said text={beginning} />
        </Text>
      )}
      {review.reason !== null && review.reason !== '' && (
        <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {t.because} <Said text={review.reason} />
        </Text>
      )}
    </Stack>
  );
}
