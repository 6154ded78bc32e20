import { accessMutants } from './access-mutants.ts';
import { accountMutants } from './account-mutants.ts';
import { contentMutants } from './content-mutants.ts';
import { limitMutants } from './limit-mutants.ts';
import type { Mutant } from './mutant.ts';
import { purchaseMutants } from './purchase-mutants.ts';
import { reliabilityMutants } from './reliability-mutants.ts';

export const mutants: readonly Mutant[] = [
  ...accessMutants,
  ...accountMutants,
  ...purchaseMutants,
  ...contentMutants,
  ...limitMutants,
  ...reliabilityMutants,
].sort((a, b) => String(a.rule).localeCompare(String(b.rule), 'en', { numeric: true }));
