import * as paths from '@lendtools/contracts/pages';
import { Button, Text, Title } from '@mantine/core';
import { IconCurrentLocation } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useUser } from '../../api/session-slice.ts';
import { isPlaceUnwanted, type MyPlace } from '../../lib/my-place.ts';
import { ToolCard } from '../../ui/tool/tool-card.tsx';
import { useBrowseToolsInfiniteQuery } from './browse-api.ts';
import classes from './near-row.module.css';
import { useMyPlace } from './use-my-place.ts';

/** Whether the location is available without a prompt, because the reader allowed it before. */
function useMayLocate(): boolean {
  const [may, setMay] = useState(false);
  useEffect(() => {
    let current = true;
    navigator.permissions
      ?.query({ name: 'geolocation' })
      .then(({ state }) => current && setMay(state === 'granted'))
      // Don't locate if the permission can't be queried, because the browser might prompt.
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

/** Shows the nearest tools, or a button that asks for the location: the browser must not prompt uninvited. */
export function NearRow() {
  const [isPressed, setIsPressed] = useState(false);
  const [hasFailed, setHasFailed] = useState(isPlaceUnwanted);
  const mayLocate = useMayLocate();
  const wanted = isPressed || (mayLocate && !hasFailed);
  const place = useMyPlace(wanted, () => {
    setIsPressed(false);
    setHasFailed(true);
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
        onClick={() => setIsPressed(true)}
      >
        Use my location
      </Button>
    </section>
  );
}
