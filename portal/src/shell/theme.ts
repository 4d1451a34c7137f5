import { Alert, Badge, type CSSVariablesResolver, Table, createTheme } from '@mantine/core';
import { saidOptions } from '../parts/options';

/** Theme whose contrasts conform to WCAG 2.2 AA, in light and dark. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  // The luminance at which black and white have the same contrast.
  luminanceThreshold: 0.18,
  respectReducedMotion: true,
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  defaultRadius: 'sm',
  components: {
    // Tables that scroll can get the focus, so that the keyboard can scroll them.
    TableScrollContainer: Table.ScrollContainer.extend({
      defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } },
    }),
    // Only the border has the color, because green or yellow text is too faint on white. Labels are never cut
    // off, because two labels with the same beginning would look alike.
    Badge: Badge.extend({
      vars: () => ({ root: { '--badge-color': 'var(--mantine-color-text)' } }),
      styles: {
        root: {
          flexShrink: 0,
          height: 'auto',
          maxWidth: 'none',
          minHeight: 'var(--badge-height)',
          overflow: 'visible',
        },
        label: { overflow: 'visible', textOverflow: 'clip' },
      },
    }),
    Alert: Alert.extend({ vars: () => ({ root: { '--alert-color': 'var(--mantine-color-text)' } }) }),
    ...saidOptions,
  },
});

/** Replaces text colors of the library that are too faint. */
export const cssVariables: CSSVariablesResolver = ({ colors: { gray, dark, red } }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': gray[7],
    '--mantine-color-placeholder': gray[7],
    '--mantine-color-error': red[9],
  },
  dark: {
    '--mantine-color-dimmed': dark[1],
    '--mantine-color-placeholder': dark[1],
    '--mantine-color-error': red[4],
  },
});
