import { Alert, Button, Group, Loader, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiFault } from '../api/api-fault';
import { texts } from '../texts';
import { FaultText } from './fault-text';

interface Props<T> {
  readonly query: UseQueryResult<T, unknown>;
  readonly children: (data: T) => ReactNode;
}

/**
 * Shows the data of a query, or its state: loading, refused or failed. If a later read fails, the earlier
 * data stays.
 */
export function Loaded<T>({ query, children }: Props<T>) {
  const { data, error, isFetching, refetch } = query;
  if (data !== undefined)
    return (
      <>
        {isGiven(error) && (
          <Alert color="yellow" role="alert" title={texts.states.stale}>
            <FaultText fault={error} />
          </Alert>
        )}
        {children(data)}
      </>
    );
  if (!isGiven(error))
    return (
      <Group role="status" gap="sm">
        <Loader size="sm" aria-hidden />
        <Text>{texts.states.loading}</Text>
      </Group>
    );
  const isRefused = error instanceof ApiFault && error.status === 403;
  return (
    <Alert
      color={isRefused ? 'gray' : 'red'}
      role="alert"
      title={isRefused ? texts.states.refused : texts.states.failed}
    >
      <Text mb="sm">
        <FaultText fault={error} />
      </Text>
      {!isRefused && (
        <Button variant="default" size="xs" loading={isFetching} onClick={() => void refetch()}>
          {texts.states.retry}
        </Button>
      )}
    </Alert>
  );
}

const isGiven = (error: unknown): boolean => error !== null && error !== undefined;
