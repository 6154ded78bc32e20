import type { Upstreams } from '@lendtools/service-kit';
import type { ServiceDeps } from '@lendtools/service-runtime';
import type { BlockRepository } from './store/block-repository.ts';
import type { PeopleRepository } from './store/people-repository.ts';
import type { QuestionLimit } from './store/question-limit.ts';
import type { ReplyRepository } from './store/reply-repository.ts';
import type { ThreadRepository } from './store/thread-repository.ts';

export interface Deps extends ServiceDeps {
  people: PeopleRepository;
  blocks: BlockRepository;
  threads: ThreadRepository;
  replies: ReplyRepository;
  questionLimit: QuestionLimit;
  catalog: Upstreams;
}
