import { Badge, Button, Select, Stack, Table } from '@mantine/core';
import { api } from '../api/client';
import { queries } from '../api/queries';
import type { components } from '../api/schema';
import { ChangeFault } from '../parts/change';
import { Listing } from '../parts/listing';
import { PagedList } from '../parts/paged-list';
import { Said } from '../parts/said';
import { Time } from '../parts/time';
import { texts } from '../texts';
import { DELIVERY_STATES, type DeliveryState, type WebhookSearch } from './webhook-search';

type Delivery = components['schemas']['DeliveryView'];

const t = texts.webhooks;
const PAGE = 50;
const ASKED_EVERY_MS = 5_000;
const COLORS: Readonly<Record<DeliveryState, string>> = { pending: 'blue', delivered: 'green', dead: 'red' };

interface Props {
  readonly id: string;
  readonly search: WebhookSearch;
  readonly onSearch: (search: WebhookSearch) => void;
}

/** Deliveries of a webhook, filtered by state. A delivery that was delivered or is dead can be sent again. */
export function Deliveries({ id, search: { state, page = 1 }, onSearch }: Props) {
  const ofState = state === undefined ? {} : { state };
  const query = api.useQuery(
    'get',
    '/webhooks/{id}/deliveries',
    { params: { path: { id }, query: { page, page_size: PAGE, ...ofState } } },
    { refetchInterval: ASKED_EVERY_MS },
  );
  return (
    <Stack>
      <Select
        label={t.state}
        placeholder={t.allStates}
        value={state ?? null}
        data={DELIVERY_STATES.map((value) => ({ value, label: t.deliveryStates[value] }))}
        onChange={(chosen) => onSearch(chosen === null ? {} : { state: chosen })}
        clearable
        maw={240}
      />
      <PagedList query={query} none={t.noDeliveries} onPage={(to) => onSearch({ ...ofState, page: to })}>
        {(rows) => <Rows id={id} deliveries={rows} />}
      </PagedList>
    </Stack>
  );
}

function Rows({ id, deliveries }: { readonly id: string; readonly deliveries: readonly Delivery[] }) {
  const replay = api.useMutation('post', '/webhooks/{id}/deliveries/{deliveryId}/replay', {
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', '/webhooks/{id}/deliveries'] }),
  });
  return (
    <>
      <ChangeFault fault={replay.error} />
      <Listing heads={[t.queued, t.event, t.state, t.attempts, t.answer, t.next, '']}>
        {deliveries.map((delivery) => (
          <Table.Tr key={delivery.id}>
            <Table.Td>
              <Time at={delivery.created_at} />
            </Table.Td>
            <Table.Td>
              <Said text={delivery.event_type} />
            </Table.Td>
            <Table.Td>
              <Badge variant="outline" color={COLORS[delivery.state]}>
                {t.deliveryStates[delivery.state]}
              </Badge>
            </Table.Td>
            <Table.Td>{delivery.attempts}</Table.Td>
            <Table.Td>
              {delivery.last_attempt_at !== null && <Time at={delivery.last_attempt_at} />}{' '}
              {delivery.last_status !== null && t.status(delivery.last_status)}{' '}
              <Said text={delivery.last_error ?? ''} />
            </Table.Td>
            <Table.Td>{delivery.next_attempt_at !== null && <Time at={delivery.next_attempt_at} />}</Table.Td>
            <Table.Td>
              {delivery.state !== 'pending' && (
                <Button
                  size="compact-sm"
                  variant="default"
                  loading={replay.isPending && replay.variables.params.path.deliveryId === delivery.id}
                  aria-label={`${t.replay}: ${delivery.event_type}, ${delivery.created_at}`}
                  onClick={() => replay.mutate({ params: { path: { id, deliveryId: delivery.id } } })}
                >
                  {t.replay}
                </Button>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Listing>
    </>
  );
}
