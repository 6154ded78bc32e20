import { Button, Container, Group, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router-dom';

function describe(error: unknown): string {
  if (isRouteErrorResponse(error)) return `${error.status} ${error.statusText}`;
  return error instanceof Error ? error.message : 'Something unexpected happened.';
}

/** The last resort of every route: it says the status or message, and offers two ways on. */
export function RouteError() {
  const error = useRouteError();
  const missing = isRouteErrorResponse(error) && error.status === 404;
  const heading = missing ? 'Page not found' : 'Something went wrong';
  useEffect(() => {
    if (missing) return;
    // Without a network a screen's code cannot be fetched, and the browser remembers that it failed.
    const loadAgain = () => window.location.reload();
    window.addEventListener('online', loadAgain);
    return () => window.removeEventListener('online', loadAgain);
  }, [missing]);
  return (
    <Container size="sm" py={80} role="alert">
      <title>{`${heading} · LendTools`}</title>
      <Title order={1}>{heading}</Title>
      <Text size="lg" mt="sm">
        {missing
          ? 'There is no page at this address. The tools are still where they were.'
          : 'It was not your fault. Loading the page again often helps.'}
      </Text>
      <Text c="dimmed" size="sm" mt="sm">
        Unexpected Application Error! {describe(error)}
      </Text>
      <Group mt="lg">
        <Button component={Link} to="/">
          Browse tools
        </Button>
        {!missing && (
          <Button variant="default" onClick={() => window.location.reload()}>
            Load again
          </Button>
        )}
      </Group>
    </Container>
  );
}
