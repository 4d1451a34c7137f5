import { Anchor, Button, Center, Loader, Stack, Text } from '@mantine/core';
import { type ErrorComponentProps, Link, createRootRoute, createRoute } from '@tanstack/react-router';
import { ApiFault } from '../api/api-fault';
import { ahead } from '../parts/ahead';
import { FaultText } from '../parts/fault-text';
import { reload } from '../parts/held';
import { Page } from '../parts/page';
import { texts } from '../texts';
import { personQuery } from './person';
import { Shell } from './shell';
import { Welcome } from './welcome';

export const root = createRootRoute();
/** Parent route of the pages for signed-in users. */
export const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  loader: ({ cause }) => ahead(cause, personQuery),
  pendingComponent: Waiting,
  errorComponent: Failed,
});

/** Route of all unknown addresses. It is within the frame, so that the menu leads back to a page. */
export const missing = createRoute({ getParentRoute: () => shell, path: '$', component: Missing });

function Waiting() {
  return (
    <Center mih="50vh" role="status" aria-label={texts.states.loading}>
      <Loader />
    </Center>
  );
}

function Failed({ error }: ErrorComponentProps) {
  if (error instanceof ApiFault && error.status === 401) return <Welcome unknown={error} />;
  return (
    <Stack p="md" align="start">
      <Text role="alert">
        <FaultText fault={error} />
      </Text>
      <Button variant="default" onClick={reload}>
        {texts.states.reloadNow}
      </Button>
    </Stack>
  );
}

function Missing() {
  return (
    <Page title={texts.states.missing}>
      <Text role="alert">{texts.states.missingExplained}</Text>
      <Anchor renderRoot={(props) => <Link to="/" {...props} />}>{texts.states.toStart}</Anchor>
    </Page>
  );
}
