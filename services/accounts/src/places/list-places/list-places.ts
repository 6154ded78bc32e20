import { roundPlace, routes } from '@lendtools/contracts';
import { handle } from '@lendtools/service-kit';
import type { Deps } from '../../deps.ts';
import { stateUnknown, zipUnknown } from '../../domain/errors.ts';

const aDay = 'public, max-age=86400';

export const listStates = ({ places }: Deps) =>
  handle(routes.states, ({ response }) => {
    response.set('Cache-Control', aDay);
    return { states: places.states };
  });

export const listCities = ({ places }: Deps) =>
  handle(routes.cities, ({ params, response }) => {
    const cities = places.citiesOf(params.code);
    if (!cities) throw stateUnknown();
    response.set('Cache-Control', aDay);
    return { cities: cities.map((name) => ({ name })) };
  });

export const showZip = ({ zips }: Deps) =>
  handle(routes.zip, ({ params, response }) => {
    const place = zips.find(params.zip);
    if (!place) throw zipUnknown(params.zip);
    response.set('Cache-Control', aDay);
    return { ...place, ...roundPlace(place) };
  });
