import { Alert, Affix, Button, Stack, Text } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { upgrade } from '../api/upgrade';
import { waiting } from '../api/waiting';
import { Said } from '../parts/said';
import { reload } from '../parts/held';
import { clockOf } from '../parts/time';
import { texts } from '../texts';

const t = texts.states;

const offline = {
  subscribe: (listener: () => void): (() => void) => onlineManager.subscribe(listener),
  isOffline: (): boolean => !onlineManager.isOnline(),
};

/**
 * Messages over every page: the browser is offline, the gateway does not answer (with the time of the next
 * try), or the gateway was upgraded.
 */
export function Reach() {
  const waits = useSyncExternalStore(waiting.subscribe, waiting.now);
  const isUpgraded = useSyncExternalStore(upgrade.subscribe, upgrade.isKnown);
  const isOffline = useSyncExternalStore(offline.subscribe, offline.isOffline);
  if (waits === undefined && !isUpgraded && !isOffline) return null;
  return (
    <Affix position={{ bottom: 16, left: 16, right: 16 }} zIndex={150}>
      <Stack gap="xs" align="center">
        {isOffline && (
          <Alert color="yellow" role="status" py="xs">
            {t.noNetwork}
          </Alert>
        )}
        {waits !== undefined && !isOffline && (
          <Alert color="yellow" role="status" py="xs">
            <Said text={wordsOf(waits)} />
          </Alert>
        )}
        {isUpgraded && (
          <Alert color="blue" role="status" py="xs">
            <Stack gap="xs" align="start">
              <Text>{t.reload}</Text>
              <Button size="compact-sm" onClick={reload}>
                {t.reloadNow}
              </Button>
            </Stack>
          </Alert>
        )}
      </Stack>
    </Affix>
  );
}

function wordsOf({ fault, until }: NonNullable<ReturnType<typeof waiting.now>>): string {
  if (fault.status === 0) return t.offline;
  return t.waits(fault.message, fault.retryAfterSeconds === undefined ? undefined : clockOf(until));
}
