import * as paths from '@lendtools/contracts/pages';
import { Button, Text, Title } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { isPlaceUnwanted, type MyPlace } from '../../lib/my-place.ts';
import { ToolCard } from '../../ui/tool-card.tsx';
import { useBrowseToolsInfiniteQuery } from './browse-api.ts';
import classes from './near-row.module.css';
import { useMyPlace } from './use-my-place.ts';

/** Whether the location is available without a prompt, because the reader allowed it on an earlier visit. */
function useMayLocate(): boolean {
  const [may, setMay] = useState(false);
  useEffect(() => {
    let current = true;
    navigator.permissions
      ?.query({ name: 'geolocation' })
      .then(({ state }) => current && setMay(state === 'granted'))
      // A browser that can't query this permission would have to prompt.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, []);
  return may;
}

const nearMiles = 20;

function ToolsNear({ place: { lat, lng } }: { place: MyPlace }) {
  const detailsPath = useUser() ? paths.memberTool : paths.tool;
  const { pathname } = useLocation();
  const { data } = useBrowseToolsInfiniteQuery({ place: { lat, lng, radius: nearMiles } });
  const tools = data?.pages[0]?.tools ?? [];
  if (tools.length === 0) return null;
  return (
    <section className={classes.near} aria-label="Near you">
      <div className={classes.head}>
        <Title order={2}>Near you</Title>
        <Link to={`${pathname}?radius=${nearMiles}`} preventScrollReset>
          See all
        </Link>
      </div>
      <div className={classes.row}>
        {tools.slice(0, 10).map((tool) => (
          <ToolCard key={tool.id} tool={tool} to={`${detailsPath}?id=${tool.id}`} />
        ))}
      </div>
    </section>
  );
}

/** The tools closest to the visitor, or a button for their location, which never prompts by itself. */
export function NearRow() {
  const [asked, setAsked] = useState(false);
  const [givenUp, setGivenUp] = useState(isPlaceUnwanted);
  const mayLocate = useMayLocate();
  const wanted = asked || (mayLocate && !givenUp);
  const place = useMyPlace(wanted, () => {
    setAsked(false);
    setGivenUp(true);
  });
  if (place) return <ToolsNear place={place} />;
  if (!navigator.geolocation) return null;
  return (
    <section className={classes.ask} aria-label="Near you">
      <div>
        <Title order={2} fz="h3">
          What can you borrow around the corner?
        </Title>
        <Text c="dimmed" mt={2}>
          Share where you are to see the closest tools first. We use it only to measure distances.
        </Text>
      </div>
      <Button
        leftSection={<IconCurrentLocation size={18} aria-hidden />}
        loading={wanted}
        onClick={() => setAsked(true)}
      >
        Use my location
      </Button>
    </section>
  );
}
