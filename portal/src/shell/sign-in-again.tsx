import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { whoIsSignedIn } from '../api/client';
import { pagePerson } from '../api/page-person';
import { sessionEnded } from '../api/session-ended';
import { FaultText } from '../parts/fault-text';
import { Said } from '../parts/said';
import { texts } from '../texts';
import { meta } from './meta';
import { signInBeside } from './sign-in';

const t = texts.signIn;

/**
 * Asks to sign in again over the page that is open, so that nothing typed in it is lost. Where somebody else signed in, in another tab of the
 * browser, it says so: the page stays that of its person.
 */
export function SignInAgain() {
  const [isEnded, setEnded] = useState(false);
  const [other, setOther] = useState<string>();
  const [fault, setFault] = useState<unknown>();
  useEffect(() => {
    let isTold = false;
    const ended = (): void => {
      if (pagePerson.id === undefined || isTold) return;
      isTold = true;
      setEnded(true);
      void whoIsSignedIn().then((person) =>
        setOther(
          person === undefined || person.id === pagePerson.id ? undefined : person.name || person.email,
        ),
      );
    };
    const begun = (): void => {
      isTold = false;
      setEnded(false);
    };
    sessionEnded.addEventListener('ended', ended);
    sessionEnded.addEventListener('begun', begun);
    return () => {
      sessionEnded.removeEventListener('ended', ended);
      sessionEnded.removeEventListener('begun', begun);
    };
  }, []);
  const again = (): void => {
    setFault(undefined);
    signInBeside().then((opened) => !opened && setFault(t.popup), setFault);
  };
  return (
    <Modal
      opened={isEnded}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
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
          <Button variant="default" onClick={() => location.assign(`${meta('base')}/`)}>
            <Said text={t.continueAs(other)} />
          </Button>
        )}
      </Stack>
    </Modal>
  );
}
