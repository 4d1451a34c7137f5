import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { requests } from '../api/client';
import { ApiFault } from '../api/api-fault';
import type { components } from '../api/schema';
import { labelsOf } from '../parts/field-labels';
import { Loaded } from '../parts/loaded';
import { Said } from '../parts/said';
import { SideBySide, changed } from '../parts/side-by-side';
import { Time } from '../parts/time';
import { texts } from '../texts';

const t = texts.guardrails.history;
const PAGE = 200;
type Line = components['schemas']['AuditLineView'];

/**
 * Lines of the audit log about one resource. The API filters only by the type of resource, so this component
 * filters by the id.
 */
export function History({ type, id }: { readonly type: string; readonly id: string }) {
  const query = useInfiniteQuery<
    components['schemas']['AuditPage'],
    unknown,
    readonly components['schemas']['AuditPage'][],
    readonly string[],
    number
  >({
    queryKey: ['history', type],
    initialPageParam: 1,
    queryFn: async ({ pageParam: page }) => {
      const { data, response } = await requests.GET('/audit/logs', {
        params: { query: { resource_type: type, page, page_size: PAGE } },
      });
      if (data === undefined) throw new ApiFault(response.status, `HTTP ${response.status}`);
      return data;
    },
    getNextPageParam: ({ pages: { page, size, total } }) => (page * size < total ? page + 1 : undefined),
    select: ({ pages }) => pages,
  });
  return (
    <Stack component="section">
      <Title order={2} size="h4">
        {t.title}
      </Title>
      <Loaded query={query}>
        {(pages) => {
          // New lines move older lines to later pages, so that a line can be read twice. Keep each line once.
          const read = [
            ...new Map(pages.flatMap(({ data }) => data.map((line) => [line.seq, line] as const))).values(),
          ];
          const lines = read.filter((line) => line.resource_id === id);
          return (
            <>
              {lines.length === 0 && <Text>{t.none}</Text>}
              {lines.map((line) => (
                <Change key={line.seq} line={line} />
              ))}
              <Group>
                <Text size="sm" role="status">
                  {t.searched(read.length, pages[0]?.pages.total ?? read.length)}
                </Text>
                {query.hasNextPage && (
                  <Button
                    variant="default"
                    loading={query.isFetchingNextPage}
                    onClick={() => void query.fetchNextPage()}
                  >
                    {t.older}
                  </Button>
                )}
              </Group>
            </>
          );
        }}
      </Loaded>
    </Stack>
  );
}

function Change({
  line: { created_at: at, actor, action, outcome, resource_type: type, changes },
}: {
  readonly line: Line;
}) {
  return (
    <Stack gap={4} component="article">
      <Text>
        <Time at={at} /> {t.actions[action]}
        {t.outcomes[outcome]} <Said text={t.by(actor.email || actor.id)} />
      </Text>
      {changes.length > 0 && (
        <SideBySide
          heads={[texts.changes.before, texts.changes.after]}
          rows={changed(changes, labelsOf(type))}
        />
      )}
    </Stack>
  );
}
