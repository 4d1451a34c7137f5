import { Text } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { Page } from '../parts/page';
import { texts } from '../texts';
import { isAdmin, mayAct, readsAll, usePerson } from './person';

/** Pages that only admins reach. */
export function ForAdmins() {
  return isAdmin(usePerson()) ? <Outlet /> : <Refused />;
}

/** Pages that auditors and admins reach. */
export function ForReaders() {
  return readsAll(usePerson()) ? <Outlet /> : <Refused />;
}

/** Pages of those who act: auditors do not. */
export function ForActors() {
  return mayAct(usePerson()) ? <Outlet /> : <Refused />;
}

/** Shown before the page sends any request to the gateway. */
function Refused() {
  const isAuditor = usePerson().role === 'auditor';
  return (
    <Page title={texts.states.refused}>
      <Text role="alert">{isAuditor ? texts.states.refusedToAuditors : texts.states.refusedExplained}</Text>
    </Page>
  );
}
