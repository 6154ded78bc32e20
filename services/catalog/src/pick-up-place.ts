import { milesBetween, mostMilesFromCity, roundPlace } from '@lendtools/contracts';
import type { Pool } from '@lendtools/service-kit';
import { placeTooFar } from './errors.ts';
import { readOwnerPlace } from './owner-repository.ts';

/** A tool's own pick-up place; null for its owner's place. */
export type PickUp = { lat: number; lng: number; zip: string } | null;

interface Given {
  pickup_lat?: number | undefined;
  pickup_lng?: number | undefined;
  pickup_zip?: string | undefined;
}

/**
 * Reads the pick-up place from a body and rounds it first. Returns undefined if the body contains none.
 * @throws AppError 400 PLACE_TOO_FAR if it is too far from the owner's city
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
