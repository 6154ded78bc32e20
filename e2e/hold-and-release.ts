/**
 * `npm run hold-and-release`: checks the limits on users who hold and never pay, and that the purge deletes their ended
 * holds. Takes a few minutes. TEST_RUN_FILE selects a running marketplace, which must have been started with
 * PURGE_INTERVAL_MINUTES=0.1 and RATE_LIMIT_FACTOR=1.
 */
import { rmSync } from 'node:fs';
import { startTestSite } from '@lendtools/local/test-site';
import { readCommandLine } from '@lendtools/service-kit/command-line';
import { waitFor } from '@lendtools/testing';
import { marketplace, query } from './src/marketplace.ts';
import { api, listTool, newPerson, type Person } from './src/people.ts';

readCommandLine('npm run hold-and-release', () => undefined);
process.env.RATE_LIMIT_FACTOR = '1';
process.env.PURGE_INTERVAL_MINUTES = '0.1';

const holdsWanted = 1_000;

const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const lineOf = (rental_id: string, { quantity, days }: { quantity: number; days: number }) => ({
  rental_id,
  quantity,
  start_date: inDays(1),
  end_date: inDays(1 + days),
});
type Line = ReturnType<typeof lineOf>;

const hold = ({ id, token }: Person, lines: Line[]) =>
  api().post(`/api/user/${id}/holds`, { token, body: { lines } });

const release = ({ id, token }: Person, holdId: string) =>
  api().delete(`/api/user/${id}/holds/${holdId}`, { token });

/** Holds and releases until a hold is rejected; returns how many succeeded, and the error. */
const holdUntilRefused = async (
  person: Person,
  cartOf: (turn: number) => Line[],
  most: number,
): Promise<{ held: number; refusal: string }> => {
  for (let held = 0; held < most; held++) {
    const reply = await hold(person, cartOf(held));
    if (reply.status !== 201) return { held, refusal: `${reply.status} ${reply.body.detail}` };
    await release(person, reply.body.hold.id);
  }
  return { held: most, refusal: 'none' };
};

const countRows = async (): Promise<Record<string, number>> => {
  const [ofBookings] = await query<Record<string, number>>(
    'bookings',
    `SELECT (SELECT count(*) FROM holds)::int AS holds, (SELECT count(*) FROM bookings)::int AS drafts,
       (SELECT count(*) FROM booking_units)::int AS units`,
  );
  const [ofCatalog] = await query<Record<string, number>>(
    'catalog',
    'SELECT count(*)::int AS "notes in catalog" FROM tool_bookings',
  );
  return { ...ofBookings, ...ofCatalog };
};

/** Backdates all rows by eight days. */
const passTime = async (): Promise<void> => {
  await query('bookings', `UPDATE holds SET expires_at = expires_at - interval '8 days'`);
  await query(
    'catalog',
    `UPDATE tool_bookings SET held_at = held_at - interval '8 days', expired_at = expired_at - interval '8 days'`,
  );
};

const purged = async (kind: string): Promise<number> => {
  const services = marketplace().processes.filter(({ name }) => /bookings|catalog/.test(name));
  const counts = services.map(async ({ port }) => {
    const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    return Number(new RegExp(`purged_total\\{kind="${kind}".*\\} (\\d+)`).exec(text)?.[1] ?? 0);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
};

/** Whether a neighbor can still hold the tools after one user held as much as the limits allow. */
const blockTheNeighborhood = async (tools: string[]): Promise<boolean> => {
  const [blocker, neighbor] = [await newPerson(), await newPerson()];
  const everything = tools.map((id) => lineOf(id, { quantity: 50, days: 90 }));
  const greatest = [lineOf(tools[0] as string, { quantity: 50, days: 20 })];

  const first = await hold(blocker, everything);
  console.log(`Everything for three months: ${first.status} ${first.body.detail}`);
  const again = await holdUntilRefused(blocker, () => greatest, 20);
  console.log(`The largest cart, again and again: ${again.held} times, then ${again.refusal}`);
  const other = await hold(
    neighbor,
    tools.map((id) => lineOf(id, { quantity: 2, days: 3 })),
  );
  console.log(`A neighbor's cart with all of these tools: ${other.status}`);
  if (other.status === 201) await release(neighbor, other.body.hold.id);
  return first.status === 409 && again.refusal !== 'none' && other.status === 201;
};

/** Holds and releases in a loop, with a new user after each rejection; returns whether any was rejected. */
const holdInALoop = async (tools: string[]): Promise<boolean> => {
  let [total, people, last] = [0, 0, ''];
  while (total < holdsWanted) {
    const person = await newPerson();
    const cartOf = (turn: number) => [
      lineOf(tools[turn % tools.length] as string, { quantity: 2, days: 2 }),
    ];
    const { held, refusal } = await holdUntilRefused(person, cartOf, holdsWanted - total);
    total += held;
    people++;
    if (refusal !== 'none') last = `after ${held}: ${refusal}`;
  }
  console.log(`${total} holds took ${people} users; the last rejection came ${last || 'never'}`);
  return last !== '';
};

/** Whether the limits held. Throws if the purge leaves rows. */
const run = async (): Promise<boolean> => {
  const owner = await newPerson();
  const tools: string[] = [];
  while (tools.length < 10) tools.push(await listTool(owner, { quantity: 50 }));
  await waitFor('bookings to store the tools', async () => {
    const known = await query('bookings', 'SELECT FROM tools WHERE id = ANY($1)', [tools]);
    return known.length === tools.length;
  });
  const isShared = await blockTheNeighborhood(tools);
  const isBounded = await holdInALoop(tools);
  await waitFor(
    'catalog to store all drafts',
    async () => {
      const { drafts, 'notes in catalog': notes } = await countRows();
      return drafts === notes;
    },
    60_000,
  );
  const before = await countRows();
  await passTime();
  await waitFor(
    'the purge',
    async () => {
      const { holds, 'notes in catalog': notes } = await countRows();
      return holds === 0 && notes === 0;
    },
    60_000,
  );
  console.table({ before, 'a week later': await countRows() });
  console.log(
    `purged_total: ended_holds ${await purged('ended_holds')}, unpaid_holds ${await purged('unpaid_holds')}`,
  );
  return isShared && isBounded;
};

const site = process.env.TEST_RUN_FILE
  ? undefined
  : startTestSite((line) => console.log(`  ${line}`), 'hold-and-release');
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void site?.stop());
let exitCode = 1;
try {
  if (site) process.env.TEST_RUN_FILE = await site.ready;
  if (await run()) exitCode = 0;
  else console.error('The limits did not hold.');
} catch (error) {
  console.error(error);
}
await site?.stop();
if (site && exitCode === 0) rmSync(site.home, { recursive: true, force: true });
process.exit(exitCode);
