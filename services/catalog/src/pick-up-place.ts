import { milesBetween, mostMilesFromCity, roundPlace } from '@lendtools/contracts';
import type { Pool } from '@lendtools/service-kit';
import { placeTooFar } from './errors.ts';
import { readOwnerPlace } from './owner-repository.ts';

/** Where a tool is picked up; null at its owner's place. */
export type PickUp = { lat: number; lng: number; zip: string } | null;

interface Given {
  pickup_lat?: number | undefined;
  pickup_lng?: number | undefined;
  pickup_zip?: string | undefined;
}

/**
 * The pick-up place that a body gives, rounded before anything else is done with it; undefined where it gives none.
 * @throws AppError 400 PLACE_TOO_FAR when it is not around its owner's city
 */
export const readPickUp = async (
  pool: Pool,
  ownerId: string,
  { pickup_lat: lat, pickup_lng: lng, pickup_zip: zip }: Given,
): Promise<PickUp | undefined> => {
  if (lat === undefined || lng === undefined) return zip === '' ? null : undefined;
  const place = roundPlace({ lat, lng });
  const owner = await readOwnerPlace(pool, ownerId);
  if (owner && milesBetween(place, owner) > mostMilesFromCity) throw placeTooFar(owner.city);
  return { ...place, zip: zip ?? '' };
};
