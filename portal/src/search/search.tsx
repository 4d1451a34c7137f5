import { Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Suspense, lazy, useState } from 'react';
import { texts } from '../texts';
import type { Scope } from './results';

const SearchDialog = lazy(() => import('./search-dialog'));
const t = texts.search;

/** The search of all pages: a button, and Ctrl-K (Cmd-K) wherever the focus is. */
export function Search({ scope }: { readonly scope: Scope }) {
  const [opened, { open, close }] = useDisclosure();
  // The dialog is loaded when it is wanted first, and stays, so that it can give the focus back.
  const [isWanted, setWanted] = useState(false);
  const start = (): void => {
    setWanted(true);
    open();
  };
  useHotkeys([['mod+K', start]], [], true);
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
