import type { ReplyOf, routes } from '@lendtools/contracts';
import { baseApi } from './base-api.ts';

type States = ReplyOf<typeof routes.states>['states'];
type ZipPlace = ReplyOf<typeof routes.zip>;
type Cities = ReplyOf<typeof routes.cities>['cities'];

/** The US states, their cities and ZIP codes. */
const placesApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    states: build.query<States, void>({
      query: () => 'places/states',
      transformResponse: (reply: { states: States }) => reply.states,
    }),
    cities: build.query<string[], string>({
      query: (code) => `places/states/${code}/cities`,
      // A name can be in the data twice, and a list of choices must not repeat itself.
      transformResponse: (reply: { cities: Cities }) => [
        ...new Set(reply.cities.map(({ name }) => name)),
      ],
    }),
    zip: build.query<ZipPlace, string>({ query: (zip) => `places/zips/${zip}` }),
  }),
});

export const { useStatesQuery, useCitiesQuery, useZipQuery, useLazyZipQuery } = placesApi;
