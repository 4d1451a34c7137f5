import { Anchor, List } from '@mantine/core';
import { API } from '../api/client';
import { texts } from '../texts';

const t = texts.session;
const FORMS = ['txt', 'csv', 'json', 'cast', 'evidence'] as const;

/** The recording as files. */
export function Downloads({ id }: { readonly id: string }) {
  return (
    <List>
      {FORMS.map((form) => (
        <List.Item key={form}>
          <Anchor href={`${API}/sessions/${id}?extension=${form}`} download>
            {t.forms[form]}
          </Anchor>
        </List.Item>
      ))}
    </List>
  );
}
