import { hasImage, internalRoutes, type PersonalData } from '@lendtools/contracts';
import { call, type Upstreams, unavailable } from '@lendtools/service-kit';
import type { Deps } from '../deps.ts';
import { toApiUser, type User } from '../domain/user.ts';
import { listBlocked } from '../store/block-repository.ts';
import { listFormerEmails } from '../store/former-email-repository.ts';
import { listPasskeys } from '../store/passkey-repository.ts';
import { listReportsBy } from '../store/report-repository.ts';
import { listSessions } from '../store/session-repository.ts';
import { collectPictures, largest } from './collect-pictures.ts';
import type { ExportedFile } from './zip-files.ts';

const timeoutMs = 60_000;
const tokenMinutes = 15;
const mostPictureBytes = 200_000_000;

/** Everything that all services store of a user: JSON files and pictures. @throws AppError 503 while a service is unavailable */
export const collectData = async function* (
  deps: Deps,
  user: User,
  exportId: string,
): AsyncGenerator<ExportedFile> {
  // A token of the user, so that a service returns only what the user may see. It cannot act as an admin.
  const session = { id: exportId, tokenMinutes, authenticatedAt: null, lacksSecondFactor: true };
  const token = await deps.tokens.sign(user, session);
  const options = { params: { userId: user.id }, token, timeoutMs };
  yield* jsonFiles('account', await ownData(deps, user));
  const catalog = await call(deps.catalog, internalRoutes.dataOfCatalog, options);
  yield* jsonFiles('tools', catalog.files);
  const others = [
    ['bookings', deps.bookings, internalRoutes.dataOfBookings],
    ['payments', deps.payments, internalRoutes.dataOfPayments],
    ['messages', deps.messaging, internalRoutes.dataOfMessaging],
    ['notices', deps.notifications, internalRoutes.dataOfNotifications],
  ] as const;
  for (const [folder, upstreams, route] of others)
    yield* jsonFiles(folder, (await call(upstreams, route, options)).files);
  // Pictures can take longer than the token is valid, and a retry fetches all of them again, so they come last.
  const portrait = hasImage(user.image) ? [user.image] : [];
  yield* collectPictures([...portrait, ...catalog.pictures], {
    read: (path) =>
      path === user.image ? deps.images.read(path) : fetchPicture(deps.catalog, path),
    mostBytes: mostPictureBytes,
  });
};

/** @returns undefined for a picture that is gone */
const fetchPicture = async (
  catalog: Upstreams,
  imagePath: string,
): Promise<Uint8Array | undefined> => {
  const signal = AbortSignal.timeout(timeoutMs);
  const reply = await catalog.fetch(largest(imagePath), { signal }).catch(() => undefined);
  if (reply?.status === 404) return undefined;
  if (!reply?.ok) throw unavailable();
  return reply.bytes();
};

const jsonFiles = function* (
  folder: string,
  files: PersonalData['files'],
): Generator<ExportedFile> {
  for (const [name, rows] of Object.entries(files))
    yield {
      name: `${folder}/${name}.json`,
      bytes: Buffer.from(JSON.stringify(rows, null, 2)),
    };
};

const ownData = async ({ pool, countryOf }: Deps, user: User): Promise<PersonalData['files']> => {
  const [sessions, passkeys, formerEmails, reports, blocked] = await Promise.all([
    listSessions(pool, user.id),
    listPasskeys(pool, user.id),
    listFormerEmails(pool, user.id),
    listReportsBy(pool, user.id),
    listBlocked(pool, user.id),
  ]);
  const { lat, lng, timeZone } = user;
  return {
    profile: [{ ...toApiUser(user), lat, lng, timeZone }],
    sessions: sessions.map((session) => ({ ...session, place: countryOf(session.network) })),
    passkeys: passkeys.map(({ name, createdAt, usedAt }) => ({ name, createdAt, usedAt })),
    'former-emails': formerEmails.map(({ email, changedAt }) => ({ email, changedAt })),
    reports,
    'blocked-people': blocked.map(({ id, firstName, blockedAt }) => ({ id, firstName, blockedAt })),
  };
};
