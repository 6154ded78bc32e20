import type { ServiceDeps } from '@lendtools/service-runtime';
import type { PeopleRepository } from './people-repository.ts';
import type { ThreadRepository } from './thread-repository.ts';

export interface Deps extends ServiceDeps {
  people: PeopleRepository;
  threads: ThreadRepository;
}
