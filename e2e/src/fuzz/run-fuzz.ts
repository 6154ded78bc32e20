import fc from 'fast-check';
import { api, type Person } from '../people.ts';
import { callers, createWorld } from '../world.ts';
import { findCredentials } from './credentials.ts';
import { judge } from './judge.ts';
import { readOperations } from './operations.ts';
import { prepareStage } from './pools.ts';
import { draftRequest, encode, kinds, type Turn } from './requests.ts';
import { asCurl, send, type WireReply, type WireRequest } from './send.ts';
import { createSlowAnswers, type Finding, type Slowest } from './slow-answers.ts';

export interface FuzzReport {
  requests: number;
  /** By call and status class, such as 4xx: the number of replies. */
  answers: Record<string, Record<string, number>>;
  /** Calls without any 2xx reply. */
  neverDone: string[];
  findings: Finding[];
  /** The slowest request when repeated alone, among the slow replies of the run. Excludes calls in `mayTakeLonger`. */
  slowest: Slowest | undefined;
}

interface FuzzOptions {
  seed: number;
  requests: number;
  concurrency: number;
  /** Stops the run. */
  until: AbortSignal;
  /** Also sends long texts and reports slow replies. Needs an otherwise idle machine. */
  isTimed: boolean;
}

/** Shuffles the turns by the seed. */
const planTurns = (turns: Turn[], seed: number): Turn[] =>
  fc.sample(fc.shuffledSubarray(turns, { minLength: turns.length }), {
    numRuns: 1,
    seed,
  })[0] as Turn[];

/** Logs in again, because a fuzzed call may have ended the session. */
const renew = async (person: Person): Promise<void> => {
  const { email, password } = person;
  const reply = await api().post('/api/login', { body: { email, password } });
  if (reply.status === 200) person.token = reply.body.token;
};

/** Sends valid, nearly valid and hostile requests for every call in the API document. */
export const runFuzz = async ({
  seed,
  requests,
  concurrency,
  until,
  isTimed,
}: FuzzOptions): Promise<FuzzReport> => {
  const [operations, stage] = await Promise.all([
    readOperations(),
    createWorld().then(prepareStage),
  ]);
  const turns = planTurns(
    operations.flatMap((operation) =>
      callers.flatMap((caller) =>
        kinds
          .filter((kind) => isTimed || kind !== 'long')
          .map((kind) => ({ operation, caller, kind })),
      ),
    ),
    seed,
  );
  const answers: FuzzReport['answers'] = Object.fromEntries(
    operations.map(({ name }) => [name, {}]),
  );
  const findings = new Map<string, Finding>();
  const slowAnswers = createSlowAnswers();
  let next = 0;

  const note = (what: string, reproduction: string): void => {
    const finding = findings.get(what) ?? { what, times: 0, reproduction };
    finding.times += 1;
    findings.set(what, finding);
  };

  const take = async (turn: Turn, turnSeed: number): Promise<void> => {
    const { operation, caller, kind } = turn;
    const person = caller === 'visitor' ? undefined : stage.people[caller];
    const where = `${operation.method} ${operation.path}`;
    let reproduction = `${kind}, as ${caller}, seed ${turnSeed}`;
    let request: WireRequest;
    let reply: WireReply;
    try {
      const credentials = await findCredentials(operation.name);
      const draft = draftRequest(turn, { stage, credentials, seed: turnSeed });
      request = await encode(operation, draft, person?.token);
      reproduction += `: ${asCurl(request)}`;
      reply = await send(request);
    } catch (error) {
      note(`${where}: no complete reply (${(error as Error).message})`, reproduction);
      return;
    }
    const counts = answers[operation.name] as Record<string, number>;
    const statusClass = `${Math.floor(reply.status / 100)}xx`;
    counts[statusClass] = (counts[statusClass] ?? 0) + 1;
    const { tookMs } = reply;
    if (isTimed) slowAnswers.note({ operation: operation.name, where, person, request, tookMs });
    for (const problem of judge(turn, request, reply, stage))
      note(`${where}: ${problem}`, reproduction);
    const isRefused = reply.status === 401 && kind === 'valid';
    if (person && caller !== 'disabled' && isRefused) await renew(person);
  };

  const work = async (): Promise<void> => {
    while (next < requests && !until.aborted) {
      const turn = next++;
      await take(turns[turn % turns.length] as Turn, seed + turn * 2);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const slow = await slowAnswers.judge(until);
  const asked = Object.values(answers)
    .flatMap((counts) => Object.values(counts))
    .reduce((sum, count) => sum + count, 0);
  return {
    requests: asked,
    answers,
    neverDone: Object.keys(answers).filter((name) => !answers[name]?.['2xx']),
    findings: [...findings.values(), ...slow.findings],
    slowest: slow.slowest,
  };
};
