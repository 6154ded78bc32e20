import * as paths from '@lendtools/contracts/pages';
import { Button, Group, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router-dom';
import { reloadOnce } from '../lib/reload-once.ts';
import classes from './route-error.module.css';
import { ScreenNotLoadedError } from './screen-not-loaded.ts';

interface ErrorText {
  heading: string;
  text: string;
}

function errorTextFor(error: unknown): ErrorText {
  if (isRouteErrorResponse(error) && error.status === 404) {
    return {
      heading: 'Page not found',
      text: 'There is no page at this address. The tools are still where they were.',
    };
  }
  if (!(error instanceof ScreenNotLoadedError)) {
    return { heading: 'Something went wrong', text: 'Our mistake. Please reload.' };
  }
  return navigator.onLine
    ? { heading: 'This page didn’t load', text: 'Check your connection, then reload.' }
    : {
        heading: 'You’re offline',
        text: 'This page opens as soon as your connection is back.',
      };
}

/** The error page of every route. Browsers cache a failed import, so only a page reload can retry it. */
export function RouteError() {
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  const [{ heading, text }] = useState(() => errorTextFor(error));
  useEffect(() => {
    if (isMissing) return;
    console.error(error);
    if (error instanceof ScreenNotLoadedError && reloadOnce()) return;
    const reload = () => window.location.reload();
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [error, isMissing]);
  return (
    <div className={classes.routeError} role="alert">
      <title>{`${heading} · LendTools`}</title>
      <Title order={1}>{heading}</Title>
      <Text size="lg" mt="sm">
        {text}
      </Text>
      <Group mt="lg">
        {!isMissing && <Button onClick={() => window.location.reload()}>Reload</Button>}
        <Button component={Link} to={paths.home} variant={isMissing ? 'filled' : 'default'}>
          Browse tools
        </Button>
      </Group>
    </div>
  );
}
