import { Text } from '@mantine/core';
import { Outlet } from '@tanstack/react-router';
import { Page } from '../parts/page';
import { texts } from '../texts';
import { isAdmin, mayAct, readsAll, usePerson } from './person';

/** Parent of the pages that only admins may open. */
export function ForAdmins() {
  return isAdmin(usePerson()) ? <Outlet /> : <Refused />;
}

/** Parent of the pages that auditors and admins may open. */
export function ForReaders() {
  return readsAll(usePerson()) ? <Outlet /> : <Refused />;
}

/** Parent of the pages for actions. Auditors may not open them. */
export function ForActors() {
  return mayAct(usePerson()) ? <Outlet /> : <Refused />;
}

/** Shown in place of a page that the role may not open, before any request is sent for the page. */
function Refused() {
  const isAuditor = usePerson().role === 'auditor';
  return (
    <Page title={texts.states.refused}>
      <Text role="alert">{isAuditor ? texts.states.refusedToAuditors : texts.states.refusedExplained}</Text>
    </Page>
  );
}
