import { milesBetween, mostMilesFromCity, type Point, roundPlace } from '@lendtools/contracts';
import tzLookup from '@photostructure/tz-lookup';
import { placeTooFar, placeUnknown, zipUnknown } from '../domain/errors.ts';
import type { UsPlaces } from '../domain/us-places.ts';
import type { UsZips } from '../domain/us-zips.ts';
import type { User } from '../domain/user.ts';

/** Resolves a typed state and city. @throws AppError 400 PLACE_UNKNOWN naming the unknown field */
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

/** The place of users without an address. The events require a position; without a city it means nothing. */
export const noPlace: Pick<
  User,
  'country' | 'state' | 'city' | 'lat' | 'lng' | 'timeZone' | 'zip' | 'placeAccuracy'
> = {
  country: 'United States',
  state: '',
  city: '',
  lat: 0,
  lng: 0,
  timeZone: 'UTC',
  zip: '',
  placeAccuracy: 'city',
};

type PickUpPlace = Pick<User, 'zip' | 'placeAccuracy' | 'lat' | 'lng'>;

/** Returns the rounded pick-up place, by default the city. @throws AppError 400 ZIP_UNKNOWN, PLACE_TOO_FAR */
export const findPickUpPlace = (
  zips: UsZips,
  city: Point & { city: string },
  given: { zip?: string | undefined; lat?: number | undefined; lng?: number | undefined },
): PickUpPlace => {
  const { zip = '', lat, lng } = given;
  const isPoint = lat !== undefined && lng !== undefined;
  if (!isPoint && !zip) return { zip: '', placeAccuracy: 'city', lat: city.lat, lng: city.lng };
  const place = isPoint ? { lat, lng } : zips.find(zip);
  if (!place) throw zipUnknown(zip);
  const rounded = roundPlace(place);
  if (milesBetween(rounded, city) > mostMilesFromCity)
    throw placeTooFar(city.city, isPoint ? 'lat' : 'zip');
  return { zip: isPoint ? '' : zip, placeAccuracy: 'area', ...rounded };
};
