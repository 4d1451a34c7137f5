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

// Read the nonce once and keep it, because browsers later hide the attribute from scripts, and because a page
// from the browser's history has an old nonce.
const nonce = meta('csp-nonce');
setNonce(nonce);

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');
const page = createRoot(root);
// React renders a transition in slices, so that the browser can handle other work between them.
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
