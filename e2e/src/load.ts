import { setTimeout as delay } from 'node:timers/promises';
import type { Reply } from '@lendtools/testing';
import sharp from 'sharp';
import { api, listTool } from './people.ts';
import { createIntent, hold, line } from './purchases.ts';
import { createWorld, type World } from './world.ts';

const drawPicture = (): Promise<Buffer> => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  return sharp({ create: { width: 640, height: 480, channels: 3, noise } as never })
    .png()
    .toBuffer();
};

/** Requests by name that can be repeated. */
const tasksOf = (
  world: World,
  toolId: string,
  picture: Buffer,
): Record<string, () => Promise<Reply>> => {
  const { owner, renter } = world.people;
  const withPicture = (field: string, fields: Record<string, string>): FormData => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set(field, new Blob([new Uint8Array(picture)]), 'picture.png');
    return form;
  };
  const { token } = renter;
  const read = (path: string) => () => api().get(path, { token });
  return {
    search: read('/api/all-rentals'),
    bookings: read(`/api/rentalBookings/${renter.id}/my-bookings`),
    thread: read(`/api/messaging/${world.bookingId}/my-messages`),
    notices: read(`/api/user/${renter.id}/notifications`),
    account: read(`/api/get-user-by-email/${renter.email}`),
    async purchase() {
      const held = await hold(renter, [line(toolId)]);
      if (held.status !== 201) return held;
      const { id: holdId, amountCents: amount } = held.body.hold;
      const intent = await createIntent(renter, { amount, holdId });
      const released = await api().delete(`/api/user/${renter.id}/holds/${holdId}`, { token });
      return intent.status === 201 ? released : intent;
    },
    reply: () =>
      api().post(`/api/user/${renter.id}/messaging/${world.messageId}/send-reply`, {
        token,
        body: { message: 'Is it still there?' },
      }),
    'mark read': () => api().put(`/api/user/${renter.id}/notifications/read-all`, { token }),
    portrait: () =>
      api().put(`/api/update-account/${renter.id}`, {
        token,
        body: withPicture('image', { first_name: 'Rene' }),
      }),
    'tool picture': () =>
      api().put(`/api/update-rental/${toolId}`, {
        token: owner.token,
        body: withPicture('cover_image', { description: 'As good as new' }),
      }),
  };
};

/** Sends requests that together reach every service, and adds each failure to `failures`. */
export const startLoad = async (failures: string[]) => {
  const world = await createWorld();
  const toolId = await listTool(world.people.owner, { quantity: 5 });
  const tasks = tasksOf(world, toolId, await drawPicture());
  let requested = 0;
  const stop = new AbortController();
  const loops = Object.entries(tasks).map(async ([name, task]) => {
    while (!stop.signal.aborted) {
      const outcome = await task().then(
        ({ status, body }) => (status < 400 ? null : `${status} ${body.code}`),
        (error: Error) => `${error.message} ${error.cause}`,
      );
      if (outcome) failures.push(`${name}: ${outcome}`);
      requested++;
      await delay(50);
    }
  });
  return {
    requested: () => requested,
    async stop() {
      stop.abort();
      await Promise.all(loops);
    },
  };
};
