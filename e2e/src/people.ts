import { randomInt, randomUUID } from 'node:crypto';
import { type HttpClient, httpClient, waitFor } from '@lendtools/testing';
import { mailedToken, marketplace, mongo } from './marketplace.ts';

export const api = (): HttpClient => httpClient(marketplace().site);

export interface Person {
  id: string;
  email: string;
  password: string;
  token: string;
  firstName: string;
  phone: string;
  address: string;
}

const neighbor = () => ({
  user_name: 'neighbor',
  first_name: 'Robin',
  last_name: 'Hill',
  email: `${randomUUID()}@lendtools.test`,
  password: `pine-${randomUUID()}`,
  phone: '+1 512 555 0100',
  country: 'United States',
  state: 'Texas',
  city: 'Austin',
  address: '12 Congress Avenue',
});
type SignUp = ReturnType<typeof neighbor>;

export const signUpFields = (overrides: Partial<SignUp> = {}): SignUp => ({
  ...neighbor(),
  ...overrides,
});

export class SignUpsUsedUp extends Error {
  constructor() {
    super(
      'The marketplace accepts no more sign-ups from this address within this hour. ' +
        'Start it with RATE_LIMIT_FACTOR=1000 to let tests sign up as many users as they need.',
    );
  }
}

/** Builds a form as a browser does: files stay files, and other values become text. */
export const formOf = (fields: object): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    form.set(name, value instanceof Blob ? value : String(value));
  return form;
};

export const newPerson = async (overrides: Partial<SignUp> = {}): Promise<Person> => {
  const fields = signUpFields(overrides);
  const created = await api().post('/api/create-account', { body: formOf(fields) });
  if (created.status === 429) throw new SignUpsUsedUp();
  if (created.status !== 201)
    throw new Error(`Sign-up answered ${created.status}: ${created.body.message}`);
  const { email, password, first_name: firstName, phone, address } = fields;
  const { user, token } = (await api().post('/api/login', { body: { email, password } })).body;
  return { id: user.id, email, password, token, firstName, phone, address };
};

export const verifyEmail = async ({ email }: { email: string }): Promise<void> => {
  const token = await mailedToken(email, 'confirm-email');
  const { status, body } = await api().post('/api/confirm-email', { body: { token } });
  if (status !== 200) throw new Error(`confirm-email answered ${status}: ${body.message}`);
  await waitFor('notifications to store the verified email', () =>
    mongo('notifications', (db) => db.collection('people').findOne({ email, emailVerified: true })),
  );
};

export const newVerifiedPerson = async (overrides: Partial<SignUp> = {}): Promise<Person> => {
  const person = await newPerson(overrides);
  await verifyEmail(person);
  return person;
};

export const admin = async (): Promise<Person> => {
  const login = marketplace().logins.find(({ role }) => role === 'admin');
  if (!login) throw new Error('The marketplace has no admin');
  const { user, token } = (await api().post('/api/login', { body: login })).body;
  return {
    id: user.id,
    email: login.email,
    password: login.password,
    token,
    firstName: user.first_name,
    phone: user.phone,
    address: user.address,
  };
};

/** A new account with the role of an admin. Logs in again after the change, so that the token has the role. */
export const newAdmin = async (
  role: 'Support' | 'Finance' | 'Admin',
  overrides: Partial<SignUp> = {},
): Promise<Person> => {
  const person = await newPerson(overrides);
  const { token: boss } = await admin();
  await api().put(`/api/users/${person.id}`, { token: boss, body: { role } });
  const { email, password } = person;
  const { token } = (await api().post('/api/login', { body: { email, password } })).body;
  return { ...person, token };
};

/** Returns the id of a category that no journey deletes. Creates the category on first use. */
export const anyCategory = async (): Promise<string> => {
  const { allCategories } = (await api().get('/api/all-rental-categories')).body;
  const isIt = ({ name }: { name: string }) => /^power tools$/i.test(name);
  const found = allCategories.find(isIt);
  if (found) return found.id;
  const { token } = await admin();
  const added = await api().post('/api/add-rentals-main-category', {
    token,
    body: { name: 'Power tools' },
  });
  // If another journey has created the category meanwhile, look it up again.
  return added.status === 409 ? anyCategory() : added.body.category.id;
};

export interface ToolFields {
  name: string;
  description: string;
  price: number;
  rental_circle: 'daily' | 'hourly';
  quantity: number;
  cover_image: Blob;
  terms: string;
}

export const listTool = async (
  owner: Person,
  overrides: Partial<ToolFields> = {},
): Promise<string> => {
  const fields = {
    name: `Cordless drill ${randomInt(1e9)}`,
    description: 'Two batteries, a case and a set of bits.',
    price: 12.5,
    rental_circle: 'daily',
    quantity: 1,
    categoryId: await anyCategory(),
    ...overrides,
  };
  const path = `/api/user/${owner.id}/add-rental`;
  // Wait until the catalog has consumed the event about the account; this takes longer while RabbitMQ restarts.
  const reply = await waitFor('catalog to store the owner', async () => {
    const answer = await api().post(path, { token: owner.token, body: formOf(fields) });
    return answer.body.code !== 'OWNER_UNKNOWN' && answer;
  });
  if (reply.status !== 201)
    throw new Error(`add-rental answered ${reply.status}: ${reply.body.message}`);
  return reply.body.rental.id;
};
