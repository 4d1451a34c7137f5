import { Alert, Button, Center, Paper, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { FaultText } from '../parts/fault-text';
import { Said } from '../parts/said';
import { texts } from '../texts';
import { signIn } from './sign-in';

/** For those who are not signed in. */
export function Welcome() {
  const [fault, setFault] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const refused = new URLSearchParams(location.search).get('error');
  const begin = (): void => {
    setBusy(true);
    signIn().catch((error: unknown) => {
      setFault(error);
      setBusy(false);
    });
  };
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" maw={420}>
        <Stack>
          <Title order={1} size="h2">
            {texts.product}
          </Title>
          <Text>{texts.signIn.explained}</Text>
          {refused !== null && fault === undefined && (
            <Alert color="red" role="alert">
              <Said text={texts.signIn.failed(refused)} />
            </Alert>
          )}
          {fault !== undefined && (
            <Alert color="red" role="alert">
              <FaultText fault={fault} />
            </Alert>
          )}
          <Button onClick={begin} loading={isBusy} data-autofocus>
            {texts.signIn.action}
          </Button>
        </Stack>
      </Paper>
    </Center>
  );
}
