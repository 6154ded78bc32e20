import type { Booking } from '@lendtools/contracts';
import { pickUpPlace } from '@lendtools/contracts/places';
import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { IconRoute } from '@tabler/icons-react';
import { lazy } from 'react';
import { useToolQuery } from '../../api/tool-api.ts';
import { readMapTiles } from '../../lib/map-tiles.ts';
import { Part } from '../../ui/part.tsx';
import classes from './pick-up.module.css';

const PickUpMap = lazy(() => import('./pick-up-map.tsx'));

function directionsTo(booking: Booking) {
  const search = new URLSearchParams({ api: '1', destination: pickUpPlace(booking) });
  return `https://www.google.com/maps/dir/?${search}`;
}

/** The surroundings of the pick-up place; nothing without a map, or if the tool was deleted. */
function Surroundings({ toolId }: { toolId: string }) {
  const tiles = readMapTiles();
  const { data: tool } = useToolQuery(toolId, { skip: !tiles });
  if (!tiles || !tool?.position) return null;
  return (
    <Part waiting={<div className={classes.map} />}>
      <PickUpMap tiles={tiles} at={tool.position} />
    </Part>
  );
}

/** Where the renter picks the tool up, and the way there. */
export function PickUp({ booking }: { booking: Booking }) {
  return (
    <section aria-labelledby="pick-up-title" className={classes.pickUp}>
      <Title order={3} fz="md" id="pick-up-title">
        Pick-up address
      </Title>
      <Text mt={4} style={{ overflowWrap: 'anywhere' }}>
        {pickUpPlace(booking)}
      </Text>
      <Surroundings toolId={booking.rental_id} />
      <Group mt="sm" gap="md">
        <Button
          component="a"
          href={directionsTo(booking)}
          target="_blank"
          rel="noreferrer"
          variant="light"
          leftSection={<IconRoute size={18} aria-hidden />}
        >
          Directions
        </Button>
        <Anchor href={booking.googleMap} target="_blank" rel="noreferrer" size="sm">
          Show on the map
        </Anchor>
      </Group>
    </section>
  );
}
