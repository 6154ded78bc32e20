import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServerContext } from '../home.ts';
import type { Login } from '../run-file.ts';
import { readablePassword } from '../secrets.ts';
import { announced } from '../servers.ts';
import type { Surroundings } from '../services.ts';
import { ApiClient, isRejection, retryWhile } from './api-client.ts';
import { bookedDaysAgo, type Made, moveIntoPast, verifyEmails } from './move-into-past.ts';
import { moveWordsIntoPast } from './move-words-into-past.ts';
import { emailOf, type Neighbor, neighbors } from './neighbors.ts';
import { pictureOfPerson, picturesOf } from './pictures.ts';
import { type ListedTool, type Person, playStory } from './play-story.ts';
import { reviewRenters } from './review-renters.ts';
import { type Story, stories } from './stories.ts';
import { categories, type DemoTool, tools } from './tools.ts';

interface Seeding {
  api: ApiClient;
  context: ServerContext;
  around: Surroundings;
}

/** Uses the public API, so that all data passes the normal checks and events. An interrupted seeding can be resumed. */
export async function seedDemo(options: {
  context: ServerContext;
  around: Surroundings;
}): Promise<void> {
  const { context, around } = options;
  const mark = join(context.home, 'demo-seeded');
  const seeding = {
    ...options,
    api: new ApiClient(`http://127.0.0.1:${around.sitePort}`),
  };
  if (!existsSync(mark)) {
    await announced(context, 'Demo', seed(seeding));
    writeFileSync(mark, new Date().toISOString());
  }
}

export function demoLogins(context: ServerContext): Login[] {
  return [
    { role: 'owner', email: emailOf('sam'), password: passwordOf('sam', context) },
    { role: 'renter', email: emailOf('maya'), password: passwordOf('maya', context) },
  ];
}

async function seed(seeding: Seeding): Promise<{ choice: string }> {
  const { api, around } = seeding;
  const [people, categoryIds] = await Promise.all([signUpAll(seeding), addCategories(seeding)]);
  const listed = new Map<string, ListedTool>();
  await inBatches(mixed(tools), 4, async (tool) => {
    const owner = personOf(people, tool.owner);
    const categoryId = categoryIds.get(tool.category) ?? '';
    listed.set(tool.name, await addTool(api, tool, { owner, categoryId }));
  });
  // Make no bookings with a live key, which would charge real cards.
  if (around.stripe.secretKey.startsWith('sk_live_')) return { choice: 'without bookings' };
  await verifyEmails(
    around.databases,
    [...people.values()].map(({ id }) => id),
  );
  // Bookings are made one after the other, because lists show the newest first.
  const bookings: Made[] = [];
  const reviewed: { bookingId: string; owner: Person }[] = [];
  for (const story of stories) {
    const tool = listed.get(story.tool);
    const ownerKey = tools.find(({ name }) => name === story.tool)?.owner ?? '';
    if (!tool) throw new Error(`No tool of the demo is called ${story.tool}`);
    const renter = personOf(people, story.renter);
    const owner = personOf(people, ownerKey);
    const { stripe } = around;
    const id = await playStory(story, {
      api,
      renter,
      owner,
      tool,
      stripe,
      bookings: around.databases.bookings,
    });
    // An open request keeps today's date, because its deadline would have passed if it were moved back.
    if (story.isRequest) continue;
    if (story.review && isCompleted(story)) reviewed.push({ bookingId: id, owner });
    bookings.push({ id, after: [tool.id, renter.id], daysAgo: bookedDaysAgo(story) });
  }
  await moveIntoPast(around.databases, {
    people: neighbors.map(({ key }) => ({ id: personOf(people, key).id, after: [] })),
    tools: mixed(tools).map(({ name, owner }) => ({
      id: listed.get(name)?.id ?? '',
      after: [personOf(people, owner).id],
    })),
    bookings,
  });
  await reviewRenters(api, reviewed);
  await moveWordsIntoPast(
    around.databases,
    bookings.map(({ id }) => id),
  );
  return { choice: `${people.size} neighbors, ${tools.length} tools, ${stories.length} bookings` };
}

/** Whether a rental was returned, and its return is more than two days ago. */
function isCompleted({ isReturned, problem, startsIn, days }: Story): boolean {
  return isReturned && !problem && startsIn + days < -2;
}

/** Alternates between the categories and puts their best tools last, because a catalog shows the newest tools first. */
export function mixed(all: DemoTool[]): DemoTool[] {
  const byCategory = [...Map.groupBy(all, ({ category }) => category).values()];
  const longest = Math.max(...byCategory.map((group) => group.length));
  const rounds = Array.from({ length: longest }, (_, i) => byCategory.map((group) => group[i]));
  return rounds
    .flat()
    .filter((tool) => tool !== undefined)
    .toReversed();
}

async function signUpAll(seeding: Seeding): Promise<Map<string, Person>> {
  const people = new Map<string, Person>();
  await inBatches(neighbors, 2, async (neighbor) => {
    people.set(neighbor.key, await signUp(neighbor, seeding));
  });
  return people;
}

async function signUp(neighbor: Neighbor, { api, context }: Seeding): Promise<Person> {
  const email = emailOf(neighbor.key);
  const password = passwordOf(neighbor.key, context);
  try {
    await api.post('/api/create-account', {
      form: {
        email,
        password,
        phone: neighbor.phone,
        address: neighbor.address,
        user_name: neighbor.key,
        first_name: neighbor.firstName,
        last_name: neighbor.lastName,
        country: 'United States',
        state: neighbor.state,
        city: neighbor.city,
        zip: neighbor.zip,
        image: await pictureOfPerson(neighbor.key),
      },
    });
  } catch (error) {
    if (!isRejection(error, 'EMAIL_TAKEN')) throw error;
  }
  return logIn(api, { email, password });
}

async function logIn(api: ApiClient, login: { email: string; password: string }): Promise<Person> {
  const { user, token } = await api.post<{ user: { id: string }; token: string }>('/api/login', {
    body: login,
  });
  return { id: user.id, token };
}

async function addCategories({ api, around }: Seeding): Promise<Map<string, string>> {
  const admin = await logIn(api, around.admin);
  await inBatches(categories, 2, async ({ name, picture }) => {
    const [cover] = await picturesOf(picture);
    const form = { name, ...(cover && { image: cover }) };
    try {
      await api.post('/api/add-rentals-main-category', { token: admin.token, form });
    } catch (error) {
      if (!isRejection(error, 'CATEGORY_EXISTS')) throw error;
    }
  });
  const { allCategories } = await api.get<{ allCategories: { id: string; name: string }[] }>(
    '/api/all-rental-categories',
  );
  return new Map(allCategories.map(({ id, name }) => [name, id]));
}

/** Retries the first listing of an owner, because the catalog receives the owner by an event. */
async function addTool(
  api: ApiClient,
  tool: DemoTool,
  { owner, categoryId }: { owner: Person; categoryId: string },
): Promise<ListedTool> {
  const { rentals } = await api.get<{ rentals: (ListedTool & { name: string })[] }>(
    `/api/user/${owner.id}/rentals/my-rentals?limit=50`,
    owner.token,
  );
  const existing = rentals.find(({ name }) => name === tool.name);
  if (existing) return existing;
  const [cover, second, third] = await picturesOf(tool.picture);
  const form = {
    name: tool.name,
    description: tool.description,
    categoryId,
    price: String(tool.price),
    rental_circle: tool.circle,
    quantity: String(tool.quantity),
    terms: JSON.stringify(tool.terms),
    ...(cover && { cover_image: cover }),
    ...(second && { image1: second }),
    ...(third && { image2: third }),
  };
  const { rental } = await retryWhile('OWNER_UNKNOWN', () =>
    api.post<{ rental: ListedTool }>(`/api/user/${owner.id}/add-rental`, {
      token: owner.token,
      form,
    }),
  );
  return rental;
}

function passwordOf(key: string, context: ServerContext): string {
  return context.secrets.get(`${key}Password`, readablePassword);
}

function personOf(people: Map<string, Person>, key: string): Person {
  const person = people.get(key);
  if (!person) throw new Error(`Nobody in the demo is called ${key}`);
  return person;
}

async function inBatches<T>(items: T[], size: number, work: (item: T) => Promise<void>) {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: size }, worker));
}
