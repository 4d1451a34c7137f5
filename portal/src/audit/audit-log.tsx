import { getRouteApi } from '@tanstack/react-router';
import { api } from '../api/client';
import { Page } from '../parts/page';
import { PagedList } from '../parts/paged-list';
import { texts } from '../texts';
import { AuditFilterForm } from './audit-filter-form';
import type { AuditFilters } from './audit-filters';
import { AuditLines } from './audit-lines';
import { AuditVerification } from './audit-verification';

const t = texts.audit;
const PAGE = 100;
const route = getRouteApi('/shell/admins/audit');

/** The audit log, with every filter of the API. The URL stores the filters. */
export function AuditLog() {
  return (
    <Page title={t.title}>
      <AuditVerification />
      <Lines />
    </Page>
  );
}

function Lines() {
  const { page = 1, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const query = api.useQuery('get', '/audit/logs', {
    params: { query: { ...filters, page, page_size: PAGE } },
  });
  const set = (search: AuditFilters): void => void navigate({ search });
  return (
    <>
      <AuditFilterForm filters={filters} onChange={set} />
      <PagedList query={query} none={t.none} onPage={(to) => set({ ...filters, page: to })}>
        {(rows) => <AuditLines lines={rows} />}
      </PagedList>
    </>
  );
}
