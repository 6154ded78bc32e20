import tzLookup from '@photostructure/tz-lookup';
import type { UsPlaces } from './domain/us-places.ts';
import { placeUnknown } from './errors.ts';
import type { User } from './user-repository.ts';

/**
 * The place of a typed state and city, as it is kept on a user.
 * @throws AppError 400 PLACE_UNKNOWN naming the one that we don't know
 */
export const findPlace = (
  places: UsPlaces,
  typed: { state: string; city: string },
): Pick<User, 'country' | 'state' | 'city' | 'lat' | 'lng' | 'timeZone'> => {
  const state = places.findState(typed.state);
  if (!state) throw placeUnknown('state', typed.state);
  const place = places.find(state.code, typed.city);
  if (!place) throw placeUnknown('city', typed.city, state.name);
  return { country: 'United States', ...place, timeZone: tzLookup(place.lat, place.lng) };
};
