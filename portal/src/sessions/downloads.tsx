import { Alert, Anchor, List, Stack } from '@mantine/core';
import { type MouseEvent, useState } from 'react';
import { API, requests } from '../api/client';
import { FaultText } from '../parts/fault-text';
import { saveAs } from '../parts/save-as';
import { texts } from '../texts';

const t = texts.session;
const FORMS = ['txt', 'csv', 'json', 'cast', 'evidence'] as const;

/**
 * Links that download the recording as files. A link cannot send the header that names the user of the page,
 * so each click first sends a request with this header. The gateway refuses the request if another user has
 * signed in.
 */
export function Downloads({ id }: { readonly id: string }) {
  const [fault, setFault] = useState<unknown>();
  const follow = (click: MouseEvent<HTMLAnchorElement>): void => {
    const { href } = click.currentTarget;
    click.preventDefault();
    setFault(undefined);
    requests.GET('/userinfo').then(() => saveAs(href), setFault);
  };
  return (
    <Stack>
      {fault !== undefined && (
        <Alert color="red" role="alert">
          <FaultText fault={fault} />
        </Alert>
      )}
      <List>
        {FORMS.map((form) => (
          <List.Item key={form}>
            <Anchor href={`${API}/sessions/${id}?extension=${form}`} download onClick={follow}>
              {t.forms[form]}
            </Anchor>
          </List.Item>
        ))}
      </List>
    </Stack>
  );
}
