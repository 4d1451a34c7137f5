import { Alert, NavLink, Text } from '@mantine/core';
import { api } from '../api/client';
import { queries } from '../api/queries';
import { sessionEnded } from '../api/session-ended';
import { FaultText } from '../parts/fault-text';
import { kept } from '../parts/kept';
import { Said } from '../parts/said';
import { texts } from '../texts';
import { meta } from './meta';

/** Button that signs out this browser. If the gateway could not do it, a message warns the person. */
export function SignOut({ email }: { readonly email: string }) {
  const ending = api.useMutation('delete', '/portal-session', {
    onSuccess: () => {
      sessionEnded.left();
      queries.clear();
      kept.clear();
      location.assign(`${meta('base')}/`);
    },
  });
  return (
    <>
      {ending.isError && (
        <Alert color="red" role="alert" p="xs">
          <FaultText fault={ending.error} />
          <Text size="sm" fw={600}>
            {texts.signIn.goesOn}
          </Text>
        </Alert>
      )}
      <NavLink
        component="button"
        label={texts.navigation.signOut}
        description={<Said text={email} />}
        onClick={() => ending.mutate({})}
        disabled={ending.isPending}
      />
    </>
  );
}
