import type { ReplyOf, routes } from '@lendtools/contracts';
import { baseApi } from './base-api.ts';

type States = ReplyOf<typeof routes.states>['states'];
type Cities = ReplyOf<typeof routes.cities>['cities'];

/** The US states and their cities, for sign-up and for the profile. */
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
  }),
});

export const { useStatesQuery, useCitiesQuery } = placesApi;
