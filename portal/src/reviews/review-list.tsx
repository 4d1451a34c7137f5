import { Anchor, Badge, Table, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api } from '../api/client';
import { Loaded } from '../parts/loaded';
import { Page } from '../parts/page';
import { Said } from '../parts/said';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { REVIEW_COLORS, type Review } from './review';
import { ASKED_EVERY_MS } from './updates';

const t = texts.reviews;

/** What waits for a vote of the person, the oldest first. */
export function ToDecide() {
  const query = useReviews('to_decide');
  const count = query.data?.pages.total ?? 0;
  return (
    <Page title={count === 0 ? t.toDecide : `(${count}) ${t.toDecide}`}>
      <Loaded query={query}>
        {({ data }) => (
          <Reviews reviews={data.toReversed()} none={t.nothingToDecide}>
            {({ review_owner: owner }) => <Said text={owner.name || owner.email} />}
          </Reviews>
        )}
      </Loaded>
    </Page>
  );
}

/** What the person asked for, the newest first. */
export function MyRequests() {
  const query = useReviews('requested');
  return (
    <Page title={t.mine}>
      <Loaded query={query}>{({ data }) => <Reviews reviews={data} none={t.nothingAsked} />}</Loaded>
    </Page>
  );
}

function useReviews(mine: 'to_decide' | 'requested') {
  return api.useQuery(
    'get',
    '/reviews',
    { params: { query: { mine, page_size: 200 } } },
    { refetchInterval: ASKED_EVERY_MS },
  );
}

/** How many requests wait for the person; shown in the navigation. */
export function useToDecide(): number {
  const query = api.useQuery(
    'get',
    '/reviews',
    { params: { query: { mine: 'to_decide', page_size: 1 } } },
    { refetchInterval: ASKED_EVERY_MS },
  );
  return query.data?.pages.total ?? 0;
}

interface Props {
  readonly reviews: readonly Review[];
  readonly none: string;
  /** Who asked, where that is not the reader. */
  readonly children?: (review: Review) => ReactNode;
}

function Reviews({ reviews, none, children: who }: Props) {
  if (reviews.length === 0) return <Text>{none}</Text>;
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t.what}</Table.Th>
            {who !== undefined && <Table.Th>{t.who}</Table.Th>}
            <Table.Th>{t.asked}</Table.Th>
            <Table.Th>{t.state}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reviews.map((review) => (
            <Table.Tr key={review.id}>
              <Table.Td>
                <Anchor
                  renderRoot={(props) => <Link to="/reviews/$id" params={{ id: review.id }} {...props} />}
                >
                  <Said text={t.title(review)} />
                </Anchor>
              </Table.Td>
              {who !== undefined && <Table.Td>{who(review)}</Table.Td>}
              <Table.Td>
                <Time at={review.created_at} />
              </Table.Td>
              <Table.Td>
                <Badge variant="outline" color={REVIEW_COLORS[review.status]}>
                  {t.states[review.status]}
                </Badge>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
