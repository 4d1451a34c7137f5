import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { whoIsSignedIn } from '../api/client';
import { pagePerson } from '../api/page-person';
import { sessionEnded } from '../api/session-ended';
import { FaultText } from '../parts/fault-text';
import { kept } from '../parts/kept';
import { Said } from '../parts/said';
import { texts } from '../texts';
import './covered.css';
import { meta } from './meta';
import { signInBeside } from './sign-in';

const t = texts.signIn;

/** Removes the data of this page's user, and opens the portal for the user who is signed in now. */
function goOn(): void {
  kept.clear();
  location.assign(`${meta('base')}/`);
}

/** A z-index above the dialogs of the page and their menus. */
const ABOVE_ALL = 1_000;

/**
 * Dialog for signing in again over the open page, so that typed text is not lost. The page is hidden until
 * its user has signed in, because another person may use the browser now. If another user signed in, the
 * dialog names that user, and the page stays hidden.
 */
export function SignInAgain() {
  const [isEnded, setEnded] = useState(false);
  const [other, setOther] = useState<string>();
  const [fault, setFault] = useState<unknown>();
  useEffect(() => {
    let isTold = false;
    const look = async (): Promise<void> => {
      const person = await whoIsSignedIn();
      const isTheirs = person !== undefined && person.id === pagePerson.id;
      isTold = !isTheirs;
      setEnded(!isTheirs);
      setOther(person === undefined || isTheirs ? undefined : person.name || person.email);
    };
    const ended = (): void => {
      if (pagePerson.id === undefined || isTold) return;
      isTold = true;
      setEnded(true);
      void look();
    };
    // The page stays hidden until it is known which user signed in.
    const begun = (): void => {
      if (isTold) void look();
    };
    sessionEnded.addEventListener('ended', ended);
    sessionEnded.addEventListener('begun', begun);
    return () => {
      sessionEnded.removeEventListener('ended', ended);
      sessionEnded.removeEventListener('begun', begun);
    };
  }, []);
  useEffect(() => {
    if (!isEnded) return undefined;
    document.body.dataset['covered'] = '';
    return () => void delete document.body.dataset['covered'];
  }, [isEnded]);
  const again = (): void => {
    setFault(undefined);
    signInBeside().then((opened) => !opened && setFault(t.popup), setFault);
  };
  return (
    <Modal
      opened={isEnded}
      data-sign-in
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={ABOVE_ALL}
      overlayProps={{ backgroundOpacity: 1, color: 'var(--mantine-color-body)' }}
      title={t.title}
    >
      <Stack>
        <Text>
          <Said text={other === undefined ? t.ended : t.other(other)} />
        </Text>
        {fault !== undefined && (
          <Alert color="red" role="alert">
            <FaultText fault={fault} />
          </Alert>
        )}
        <Button onClick={again} data-autofocus>
          {t.again}
        </Button>
        {other !== undefined && (
          <Button variant="default" onClick={goOn}>
            <Said text={t.continueAs(other)} />
          </Button>
        )}
      </Stack>
    </Modal>
  );
}
