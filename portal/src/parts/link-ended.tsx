import { Alert, Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { texts } from '../texts';
import type { LinkEnd } from './server-link';

interface Props {
  readonly end: LinkEnd;
  readonly texts: {
    readonly ended: (code: number | null) => string;
    readonly lost: string;
    readonly notOpened: string;
  };
}

/** Shows how a terminal, or the files of a server, were ended. */
export function LinkEnded({ end: { exitCode, wasOpen }, texts: t }: Props) {
  const isLost = exitCode === undefined;
  return (
    <Alert color={isLost ? 'red' : 'blue'} role="status">
      <Text>{isLost ? (wasOpen ? t.lost : t.notOpened) : t.ended(exitCode)}</Text>
      {wasOpen && (
        <Anchor c="inherit" underline="always" renderRoot={(props) => <Link to="/sessions" {...props} />}>
          {texts.ways.sessions}
        </Anchor>
      )}
    </Alert>
  );
}
