import { Group, Select } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { Said } from '../parts/said';
import { texts } from '../texts';
import { REQUEST_CHOICES, type RequestFilterName, type RequestFilters } from './request-filters';
import { Reviews, useReviews } from './review-list';
import { allRequestsQuery } from './review-queries';

const t = texts.reviews;
const route = getRouteApi('/shell/readers/all-requests');

/** All requests, with their requesters and reviewers, for auditors. The URL stores the filters. */
export function AllRequests() {
  const filters = route.useSearch();
  const navigate = route.useNavigate();
  const query = useReviews(allRequestsQuery(filters));
  return (
    <Page title={t.all}>
      <RequestFilter filters={filters} onChange={(search) => void navigate({ search })} />
      <PagedList
        query={query}
        none={t.noneAsked}
        onPage={(page) => void navigate({ search: { ...filters, page } })}
      >
        {(rows) => (
          <Reviews reviews={rows} hasDeciders>
            {({ review_owner: owner }) => <Said text={owner.name || owner.email} />}
          </Reviews>
        )}
      </PagedList>
    </Page>
  );
}

interface FilterProps {
  readonly filters: RequestFilters;
  readonly onChange: (filters: RequestFilters) => void;
}

function RequestFilter({ filters, onChange }: FilterProps) {
  // A changed filter starts on the first page.
  const set = (name: RequestFilterName, value: string | null): void => {
    const { [name]: _old, page: _page, ...others } = filters;
    onChange(value === null ? others : { ...others, [name]: value });
  };
  return (
    <Group role="search" align="end">
      {(['status', 'after_review'] as const).map((name) => (
        <Select
          key={name}
          label={t.filters[name]}
          value={filters[name] ?? null}
          onChange={(value) => set(name, value)}
          data={Object.entries(REQUEST_CHOICES[name]).map(([value, label]) => ({ value, label }))}
          clearable
          w={200}
        />
      ))}
    </Group>
  );
}
