import { milesBetween, mostMilesFromCity, roundPlace } from '@lendtools/contracts';
import type { Pool } from '@lendtools/service-kit';
import { placeTooFar } from '../domain/errors.ts';
import type { PickUp } from '../domain/tool.ts';
import { readOwnerPlace } from '../store/owner-repository.ts';

interface PickUpFields {
  pickup_lat?: number | undefined;
  pickup_lng?: number | undefined;
  pickup_zip?: string | undefined;
}

/** The body's pick-up place, rounded; undefined if the body has none. @throws AppError 400 PLACE_TOO_FAR if too far from the city */
export const readPickUp = async (
  pool: Pool,
  ownerId: string,
  { pickup_lat: lat, pickup_lng: lng, pickup_zip: zip }: PickUpFields,
): Promise<PickUp | undefined> => {
  if (lat === undefined || lng === undefined) return zip === '' ? null : undefined;
  const place = roundPlace({ lat, lng });
  const owner = await readOwnerPlace(pool, ownerId);
  if (owner && milesBetween(place, owner) > mostMilesFromCity) throw placeTooFar(owner.city);
  return { ...place, zip: zip ?? '' };
};
