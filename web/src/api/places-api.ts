import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

const placesApi = addEndpoints(({ query }) => ({
  states: query(at.states, { transformResponse: ({ states }) => states }),
  cities: query(at.cities, {
    send: (code: string) => ({ params: { code } }),
    // Remove duplicates, because the place data contains some names twice.
    transformResponse: ({ cities }) => [...new Set(cities.map(({ name }) => name))],
  }),
  zip: query(at.zip, { send: (zip: string) => ({ params: { zip } }) }),
}));

export const { useStatesQuery, useCitiesQuery, useZipQuery, useLazyZipQuery } = placesApi;
