import { Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Suspense, lazy, useEffect, useState } from 'react';
import { patiently } from '../parts/patiently';
import { texts } from '../texts';
import type { Scope } from './results';

const loadDialog = patiently(() => import('./search-dialog'));
const SearchDialog = lazy(loadDialog);
const t = texts.search;

/** The search of all pages: a button, and Ctrl-K (Cmd-K) wherever the focus is. */
export function Search({ scope }: { readonly scope: Scope }) {
  const [opened, { open, close }] = useDisclosure();
  // The dialog is made when it is wanted first, and stays, so that it can give the focus back.
  const [isWanted, setWanted] = useState(false);
  const start = (): void => {
    setWanted(true);
    open();
  };
  useHotkeys([['mod+K', start]], [], true);
  // It is loaded after the first screen: what is typed right after Ctrl-K goes into its field.
  useEffect(() => void loadDialog().catch(() => undefined), []);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={start}
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        rightSection={
          <Kbd size="xs" visibleFrom="sm" aria-hidden>
            {t.keys}
          </Kbd>
        }
      >
        {t.open}
      </Button>
      {isWanted && (
        <Suspense>
          <SearchDialog scope={scope} opened={opened} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
