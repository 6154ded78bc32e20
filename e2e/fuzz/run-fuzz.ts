import fc from 'fast-check';
import { api, type Person } from '../src/people.ts';
import { callers, createWorld } from '../src/world.ts';
import { findCredentials } from './credentials.ts';
import { judge } from './judge.ts';
import { type Operation, readOperations } from './operations.ts';
import { prepareStage } from './pools.ts';
import { draftRequest, encode, kinds, type Turn } from './requests.ts';
import { asCurl, send, type WireReply, type WireRequest } from './send.ts';
import { createSlowAnswers, type Finding, type Slowest } from './slow-answers.ts';

export interface FuzzReport {
  requests: number;
  /** Number of replies by call and status class, such as 4xx. */
  answers: Record<string, Record<string, number>>;
  /** Calls that never succeeded, although they could. */
  neverDone: string[];
  findings: Finding[];
  /** The request that took longest when sent alone. Calls that may take longer are not included. */
  slowest: Slowest | undefined;
}

/** These calls need a debt, an inquiry, a stuck transfer or a caller without bookings or a file, which no fuzzed call makes. */
const mayNeverBeDone = new Set([
  'retryTransfer',
  'writeOffDebt',
  'waiveInquiry',
  'requestDeletion',
  'dataExport',
]);

interface FuzzOptions {
  seed: number;
  requests: number;
  concurrency: number;
  until: AbortSignal;
  /** A timed run also sends long texts and reports slow replies. It needs an otherwise idle machine. */
  isTimed: boolean;
}

/** Every call by every caller with every kind of values, shuffled. */
const planTurns = (
  operations: Operation[],
  { seed, isTimed }: Pick<FuzzOptions, 'seed' | 'isTimed'>,
): Turn[] => {
  const used = kinds.filter((kind) => isTimed || kind !== 'long');
  const turns = operations.flatMap((operation) =>
    callers.flatMap((caller) => used.map((kind) => ({ operation, caller, kind }))),
  );
  return fc.sample(fc.shuffledSubarray(turns, { minLength: turns.length }), {
    numRuns: 1,
    seed,
  })[0] as Turn[];
};

/** Collects the findings, each with its first reproduction and how often it was found. */
const createFindings = () => {
  const findings = new Map<string, Finding>();
  return {
    note(what: string, reproduction: string): void {
      const finding = findings.get(what) ?? { what, times: 0, reproduction };
      finding.times += 1;
      findings.set(what, finding);
    },
    list: (): Finding[] => [...findings.values()],
  };
};

const countReply = (counts: Record<string, number>, status: number): void => {
  const statusClass = `${Math.floor(status / 100)}xx`;
  counts[statusClass] = (counts[statusClass] ?? 0) + 1;
};

const countAll = (answers: FuzzReport['answers']): number =>
  Object.values(answers)
    .flatMap((counts) => Object.values(counts))
    .reduce((sum, count) => sum + count, 0);

/** A fuzzed call may have ended the session or closed the account, so log in again. */
const renew = async (person: Person): Promise<void> => {
  const { email, password } = person;
  const reply = await api().post('/api/login', { body: { email, password, keepAccount: true } });
  if (reply.status === 200) person.token = reply.body.token;
};

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
  const turns = planTurns(operations, { seed, isTimed });
  const answers: FuzzReport['answers'] = Object.fromEntries(
    operations.map(({ name }) => [name, {}]),
  );
  const findings = createFindings();
  const slowAnswers = createSlowAnswers();
  let next = 0;

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
      findings.note(`${where}: no complete reply (${(error as Error).message})`, reproduction);
      return;
    }
    countReply(answers[operation.name] as Record<string, number>, reply.status);
    const { tookMs } = reply;
    if (isTimed) slowAnswers.note({ operation: operation.name, where, person, request, tookMs });
    for (const problem of judge(turn, request, reply, stage))
      findings.note(`${where}: ${problem}`, reproduction);
    const isRejected = reply.status === 401 && kind === 'valid';
    if (person && caller !== 'disabled' && isRejected) await renew(person);
  };

  const work = async (): Promise<void> => {
    while (next < requests && !until.aborted) {
      const turn = next++;
      await take(turns[turn % turns.length] as Turn, seed + turn * 2);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const slow = await slowAnswers.judge(until);
  return {
    requests: countAll(answers),
    answers,
    neverDone: Object.keys(answers).filter(
      (name) => !mayNeverBeDone.has(name) && !answers[name]?.['2xx'],
    ),
    findings: [...findings.list(), ...slow.findings],
    slowest: slow.slowest,
  };
};
