import '@mantine/core/styles.css';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { queries } from './api/queries';
import { router } from './router';
import { Reach } from './shell/reach';
import { SignInAgain } from './shell/sign-in-again';
import { meta } from './shell/meta';
import './shell/long-words.css';
import { cssVariables, theme } from './shell/theme';

// Read once: browsers hide the attribute from scripts, and a page that is kept
// in the history would have an old one.
const nonce = meta('csp-nonce');
setNonce(nonce);

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
const page = createRoot(root);
// A transition is drawn in slices, between which the browser does what waits.
startTransition(() =>
  page.render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <SignInAgain />
          <Reach />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  ),
);
