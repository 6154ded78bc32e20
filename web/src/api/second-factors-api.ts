import * as at from '@lendtools/contracts/endpoints';
import { addEndpoints } from './add-endpoints.ts';

const secondFactorsApi = addEndpoints(({ query }) => ({
  secondFactors: query(at.secondFactors, {
    send: (userId: string) => ({ params: { userId } }),
    providesTags: ['SecondFactor'],
  }),
}));

export const { useSecondFactorsQuery } = secondFactorsApi;
