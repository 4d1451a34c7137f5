import { Alert, Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { ApiFault } from '../api/api-fault';
import { FaultText } from '../parts/fault-text';
import { kept } from '../parts/kept';
import { Said } from '../parts/said';
import { texts } from '../texts';
import { isBack, signIn, whyFailed } from './sign-in';

const t = texts.signIn;

/** Page for people who are not signed in. @param unknown the gateway's refusal to identify the user */
export function Welcome({ unknown }: { readonly unknown: ApiFault }) {
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const begin = (): void => {
    setBusy(true);
    signIn().catch((error: unknown) => {
      setFault(error);
      setBusy(false);
    });
  };
  const refused = whyNot(isBack ? unknown : undefined);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" maw={420}>
        <Stack>
          <Title order={1} size="h2">
            {texts.product}
          </Title>
          <Text>{t.explained}</Text>
          {refused !== undefined && fault === undefined && (
            <Alert color="red" role="alert">
              <Said text={refused} />
            </Alert>
          )}
          {fault !== undefined && (
            <Alert color="red" role="alert">
              <FaultText fault={fault} />
            </Alert>
          )}
          <Button onClick={begin} loading={isBusy} data-autofocus>
            {t.action}
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}

/** Returns why a sign-in failed, or why it cannot work. */
function whyNot(unknown: ApiFault | undefined): string | undefined {
  if (!navigator.cookieEnabled || !kept.isPossible()) return t.noCookies;
  const refused = whyFailed();
  if (refused !== undefined) return t.failed(refused);
  return unknown === undefined ? undefined : t.unknown(unknown.message);
}
