import { Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Suspense, lazy, useEffect, useState } from 'react';
import { patiently } from '../parts/patiently';
import { texts } from '../texts';
import type { Scope } from './results';

const loadDialog = patiently(() => import('./search-dialog'));
const SearchDialog = lazy(loadDialog);
const t = texts.search;

/** Opens the search, by a button or by Ctrl-K (Cmd-K), wherever the focus is. */
export function Search({ scope }: { readonly scope: Scope }) {
  const [opened, { open, close }] = useDisclosure();
  // The dialog stays rendered after its first use, so that it can return the focus when it closes.
  const [isWanted, setWanted] = useState(false);
  const start = (): void => {
    setWanted(true);
    open();
  };
  useHotkeys([['mod+K', start]], [], true);
  // Loaded after the first screen, so that keys typed right after Ctrl-K reach the field of the dialog.
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
