import { Alert, Stack, Text } from '@mantine/core';
import { useEffect, useEffectEvent, useState } from 'react';
import { Said } from '../parts/said';
import { ServerLink } from '../parts/server-link';
import type { ServerScreenProps } from '../parts/server-way';
import { texts } from '../texts';
import { FolderView } from './folder-view';
import type { RemotePath } from './paths';
import { Sftp } from './sftp';

/** Number of sentences of the gateway that stay on the page. */
const MOST_SAID = 20;

interface Opened {
  readonly sftp: Sftp;
  /** The folder in which the server starts. */
  readonly home: RemotePath;
}

/** Opens the files of a server at the gateway, and shows them until this component is unmounted. */
export default function FilesScreen({ connection, person, reason, onEnd }: ServerScreenProps) {
  const [opened, setOpened] = useState<Opened>();
  const [said, setSaid] = useState<readonly string[]>([]);
  const [isOver, setOver] = useState(false);
  const ended = useEffectEvent(onEnd);
  useEffect(() => {
    let isShown = true;
    const sftp = new Sftp((bytes) => link.send(bytes));
    const link: ServerLink = new ServerLink(
      'files',
      { connection, person, reason },
      {
        output: (bytes, taken) => {
          try {
            sftp.receive(bytes);
            taken();
          } catch {
            link.close();
          }
        },
        said: (text) => isShown && setSaid((before) => [...before, text.trim()].slice(-MOST_SAID)),
        ended: (end) => {
          sftp.end(new Error(texts.files.over));
          if (!isShown) return;
          setOver(true);
          ended(end);
        },
      },
    );
    sftp.begin().then(
      (home) => isShown && setOpened({ sftp, home }),
      // The page shows the reason when the link ends.
      () => undefined,
    );
    return () => {
      isShown = false;
      link.close();
    };
  }, [connection, person, reason]);
  return (
    <Stack data-files>
      {said.length > 0 && (
        <Alert role="status">
          {said.map((text, at) => (
            <Text key={at}>
              <Said text={text} />
            </Text>
          ))}
        </Alert>
      )}
      {opened !== undefined && !isOver && <FolderView {...opened} />}
      {opened === undefined && !isOver && <Text role="status">{texts.files.opening}</Text>}
    </Stack>
  );
}
