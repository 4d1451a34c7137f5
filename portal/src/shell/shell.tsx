import {
  ActionIcon,
  AppShell,
  Burger,
  Group,
  NavLink,
  Switch,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import { sessionEnded } from '../api/session-ended';
import { withNames } from '../parts/hidden-characters';
import { Said } from '../parts/said';
import { showTimesIn, useIsUtc } from '../parts/zone';
import { Search } from '../search/search';
import { texts } from '../texts';
import { sectionsOf } from './pages';
import { readsAll, usePerson } from './person';
import { isBack } from './sign-in';
import { SignOut } from './sign-out';

/** The frame of every page: navigation, the signed-in user, colors. */
export function Shell() {
  const person = usePerson();
  const isUtc = useIsUtc();
  const [opened, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const sections = sectionsOf(person);
  const pages = sections.flatMap((section) => section.pages);
  useEffect(close, [pathname, close]);
  useEffect(() => {
    // Notify the other tabs of the sign-in, because it is valid for all tabs of the browser.
    if (isBack) sessionEnded.begunAgain();
  }, []);
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !opened } }}
      padding="md"
    >
      <AppShell.Header component="header">
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" miw={0}>
            <Burger
              opened={opened}
              onClick={toggle}
              hiddenFrom="sm"
              size="sm"
              aria-label={texts.navigation.menu}
            />
            <Text fw={700} fz={{ base: 'sm', sm: 'md' }} truncate>
              {texts.product}
            </Text>
          </Group>
          <Group wrap="nowrap" flex="none">
            <Search scope={{ pages, readsAll: readsAll(person) }} />
            <Text size="sm" truncate title={withNames(person.email)} visibleFrom="sm" maw={200}>
              <Said text={person.name} />
            </Text>
            <Colors />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar
        p="xs"
        component="nav"
        aria-label={texts.navigation.label}
        style={{ overflowY: 'auto' }}
      >
        {sections.map((section) => (
          <div key={section.label} role="group" aria-label={section.label}>
            {sections.length > 1 && (
              <Text size="xs" fw={700} px="sm" pt="xs" aria-hidden>
                {section.label}
              </Text>
            )}
            {section.pages.map(({ to, label }) => (
              <NavLink
                key={to}
                component={Link}
                to={to}
                label={label}
                active={isWithin(pathname, to)}
                py={2}
              />
            ))}
          </div>
        ))}
        <Switch
          label={texts.navigation.utc}
          size="xs"
          px="sm"
          py="xs"
          mt="auto"
          checked={isUtc}
          onChange={({ currentTarget }) => showTimesIn(currentTarget.checked ? 'utc' : 'local')}
        />
        <SignOut email={person.email} />
      </AppShell.Navbar>
      <AppShell.Main component="main">
        <Outlet />
      </AppShell.Main>
    </AppShell>
  );
}

const isWithin = (pathname: string, to: string): boolean => pathname === to || pathname.startsWith(`${to}/`);

function Colors() {
  const { setColorScheme } = useMantineColorScheme();
  const shown = useComputedColorScheme('light');
  return (
    <ActionIcon
      variant="default"
      aria-label={texts.navigation.colors}
      onClick={() => setColorScheme(shown === 'light' ? 'dark' : 'light')}
    >
      ◐
    </ActionIcon>
  );
}
