import { Alert, Button, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { sessionEnded } from '../api/session-ended';
import { FaultText } from '../parts/fault-text';
import { texts } from '../texts';
import { signInBeside } from './sign-in';

/** Asks to sign in again over the page that is open, so that nothing typed in it is lost. */
export function SignInAgain() {
  const [isEnded, setEnded] = useState(false);
  const [fault, setFault] = useState<unknown>();
  useEffect(() => {
    const ended = (): void => setEnded(document.body.dataset['signedIn'] === 'true');
    const begun = (): void => setEnded(false);
    sessionEnded.addEventListener('ended', ended);
    sessionEnded.addEventListener('begun', begun);
    return () => {
      sessionEnded.removeEventListener('ended', ended);
      sessionEnded.removeEventListener('begun', begun);
    };
  }, []);
  const again = (): void => {
    setFault(undefined);
    signInBeside().then((opened) => !opened && setFault(texts.signIn.popup), setFault);
  };
  return (
    <Modal
      opened={isEnded}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={texts.signIn.title}
    >
      <Stack>
        <Text>{texts.signIn.ended}</Text>
        {fault !== undefined && (
          <Alert color="red" role="alert">
            <FaultText fault={fault} />
          </Alert>
        )}
        <Button onClick={again} data-autofocus>
          {texts.signIn.again}
        </Button>
      </Stack>
    </Modal>
  );
}
