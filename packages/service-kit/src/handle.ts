import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type Body,
  freshLoginMinutes,
  may,
  type Params,
  type Query,
  type ReplyOf,
  type Route,
  type Who,
} from '@lendtools/contracts';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { ActOfAdmin, type AuditLog } from './audit.ts';
import { type Authenticator, bearerToken, type Caller, type Identity } from './auth.ts';
import { currentContext, runInContext } from './context.ts';
import {
  AppError,
  forbidden,
  reauthenticationRequired,
  secondFactorNeeded,
  unauthenticated,
} from './errors.ts';
import { JsonText, sendJson } from './send-json.ts';
import { readMultipart, uploadedImages } from './uploads.ts';

/** Policies that depend on the owner of the requested object, which only the handler can look up. */
type AboutThing = 'owner or admin' | 'party' | 'party or admin';

/** A reply that passed the route's policy. Only `allow` can create one. */
class Allowed<T> {
  readonly #reply: T;
  constructor(reply: T) {
    this.#reply = reply;
  }
  static replyOf<T>(result: T | Allowed<T>): T {
    return result instanceof Allowed ? result.#reply : result;
  }
}

/**
 * Admits the listed users, and admins if the policy includes them.
 * @throws the error from `refuse`, for everyone else
 * @returns a function that marks the handler's reply as allowed
 */
type Allow = (
  whose: readonly (string | undefined)[],
  rejection: () => AppError,
) => <T>(reply: T) => Allowed<T>;

/** A validated request. `user` is null for anonymous callers and for services. */
export interface Call<R extends Route> {
  params: Params<R>;
  query: Query<R>;
  body: Body<R>;
  images: Record<string, Buffer>;
  user: R['who'] extends 'anyone' | 'service' ? Caller | null : Caller;
  allow: R['who'] extends AboutThing ? Allow : never;
  idempotencyKey: string | undefined;
  request: Request;
  response: Response;
}

type Answer<R extends Route> = R['who'] extends AboutThing
  ? Allowed<ReplyOf<R> | (R extends { media: string } ? undefined : never)>
  : ReplyOf<R> | JsonText | undefined;

interface BindOptions {
  authenticator: Authenticator;
  checkReplies: boolean;
  /** The shared secrets of calls between services. Without any, internal routes reject every caller. */
  internalSecrets?: readonly string[] | undefined;
  /** Where acts of admins are recorded. A route that must record them cannot be bound without it. */
  auditLog?: AuditLog | undefined;
}

export interface BoundRoute {
  route: Route;
  bind(options: BindOptions): RequestHandler[];
}

/** Checks the policy, validates the input, then sends the handler's result unless the handler has replied itself. */
export const handle = <R extends Route>(
  route: R,
  handler: (call: Call<R>) => Promise<Answer<R>> | Answer<R>,
): BoundRoute => ({
  route,
  bind: ({ authenticator, checkReplies, internalSecrets, auditLog = missingLog(route) }) => [
    route.who === 'service' ? admitService(internalSecrets) : authorize(route, authenticator),
    ...bodyReaders(route),
    async (request, response) => {
      const input = parse(route, request);
      const act = actOf(route, { user: response.locals.user, input, auditLog });
      const call = {
        ...input,
        images: uploadedImages(request.files),
        user: response.locals.user,
        allow: allowBy(route.who, { user: response.locals.user, act }),
        idempotencyKey: route.idempotent ? readIdempotencyKey(request) : undefined,
        request,
        response,
      } as Call<R>;
      // The handler itself sends a file.
      if (route.media) await act?.record();
      const answer = await inAct(act, () => handler(call));
      await act?.record();
      const result = Allowed.replyOf<unknown>(answer);
      if (result === undefined) return;
      if (checkReplies) assertReply(route, result);
      response.status(route.status);
      const json = result instanceof JsonText ? result : new JsonText(JSON.stringify(result));
      sendJson(request, response, json, { isPublic: isPublic(route, request) });
    },
  ],
});

/** True if the reply may be cached: only replies to anonymous callers may be, because a signed-in user may see more. */
const isPublic = (route: Route, request: Request): boolean =>
  route.method === 'GET' && route.who === 'anyone' && !request.get('authorization');

const allowBy =
  (who: Who, { user, act }: { user: Caller; act: ActOfAdmin | undefined }): Allow =>
  (whose, rejection) => {
    const isTheirs = whose.includes(user.userId);
    const isAdmin = user.role === 'Admin' && who.endsWith('or admin');
    if (!isAdmin && !isTheirs) throw rejection();
    if (!isTheirs) act?.actAsAdmin(whose[0]);
    return (reply) => new Allowed(reply);
  };

/** Undefined unless the caller is an admin with the permission of a route that is recorded. */
const actOf = (
  route: Route,
  {
    user,
    input,
    auditLog,
  }: { user: Caller | null; input: ReturnType<typeof parse>; auditLog: AuditLog | undefined },
): ActOfAdmin | undefined => {
  if (user?.role !== 'Admin' || !auditLog || !isRecorded(route)) return undefined;
  const requestId = currentContext()?.correlationId ?? '';
  return new ActOfAdmin(auditLog, { route, caller: user, requestId, input });
};

/** A call of a public route is recorded only if its handler calls `actAsAdmin`. */
const isRecorded = ({ permission, audited }: Route): boolean =>
  permission !== undefined && audited !== false;

/** @throws Error if the route must be recorded, which its service cannot do */
const missingLog = (route: Route): undefined => {
  if (isRecorded(route)) throw new Error(`${route.path} has no audit log`);
};

const inAct = <T>(act: ActOfAdmin | undefined, work: () => T): T => {
  const context = currentContext();
  return act && context ? runInContext({ ...context, act }, work) : work();
};

const admitService =
  (secrets: readonly string[] = []): RequestHandler =>
  (request, response, next) => {
    const given = bearerToken(request.get('authorization'));
    if (!given || !secrets.some((secret) => isSame(given, secret))) throw unauthenticated();
    response.locals.user = null;
    next();
  };

const isSame = (given: string, secret: string): boolean => {
  const [one, other] = [given, secret].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one as Buffer, other as Buffer);
};

const authorize =
  (route: Route, authenticator: Authenticator): RequestHandler =>
  async (request, response, next) => {
    const { who, needsFreshLogin } = route;
    const token = bearerToken(request.get('authorization'));
    if (token) response.set('Cache-Control', 'no-store');
    if (who === 'anyone') {
      const caller = token ? await authenticator.verify(token).catch(() => null) : null;
      response.locals.user = caller && callerOf(caller, route);
      return next();
    }
    if (!token) throw unauthenticated();
    const user = callerOf(await authenticator.verify(token), route);
    response.locals.user = user;
    const isSelf = String(request.params.userId).toLowerCase() === user.userId;
    if (who === 'admin' && user.role !== 'Admin')
      throw user.lacksSecondFactor ? secondFactorNeeded() : forbidden();
    if (who === 'self' && !isSelf) throw forbidden();
    const isConcerned = needsFreshLogin === 'all' || user.role === 'Admin';
    if (needsFreshLogin && isConcerned) requireFreshLogin(user);
    next();
  };

/** An admin without the route's permission acts as a member. Without one, only administrators act as admins. */
const callerOf = (identity: Identity, { permission = 'administer' }: Route): Caller => ({
  ...identity,
  role: may(identity.role, permission) ? 'Admin' : 'User',
  accountRole: identity.role,
});

/** A stolen access token must not suffice for what could lock its user out or move money. @throws AppError 403 */
export const requireFreshLogin = ({ authenticatedAtMs }: Identity): void => {
  if (Date.now() - authenticatedAtMs > freshLoginMinutes * 60_000) throw reauthenticationRequired();
};

/** A description of 4,000 characters takes up to 24 kB if every character is escaped as JSON. */
const maxBodyKb = 32;

const bodyReaders = (route: Route): RequestHandler[] => {
  if (route.raw) return [express.raw({ type: () => true, limit: '256kb' })];
  const readers: RequestHandler[] = [];
  if (route.body) {
    const limit = `${route.bodyKb ?? maxBodyKb}kb`;
    readers.push(express.json({ limit }), express.urlencoded({ limit, extended: false }));
  }
  if (route.images) readers.push(...readMultipart(route.images));
  else if (route.body) readers.push(rejectUnreadBody);
  return readers;
};

/** Rejects a body that is neither JSON nor a form. If it counted as empty, a note or reason in it would be lost. */
const rejectUnreadBody: RequestHandler = (request, _response, next) => {
  const hasBody = request.is('*/*') !== null && request.get('content-length') !== '0';
  if (hasBody && request.body === undefined)
    throw new AppError('REQUEST_UNREADABLE', 'Send the body as JSON.');
  next();
};

const parse = (route: Route, request: Request) => ({
  params: route.params ? route.params.parse(request.params) : {},
  query: route.query ? route.query.parse(request.query) : {},
  body: route.body ? route.body.parse(request.body ?? {}) : {},
});

const readIdempotencyKey = (request: Request): string | undefined => {
  const key = request.get('idempotency-key');
  if (key !== undefined && !/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new AppError(
      'IDEMPOTENCY_KEY_INVALID',
      'The Idempotency-Key must be 1 to 200 visible characters.',
    );
  }
  return key;
};

/** Only in tests: a reply that violates its documented schema becomes a 500. */
const assertReply = (route: Route, result: unknown): void => {
  const value =
    result instanceof JsonText ? JSON.parse(result.text) : JSON.parse(JSON.stringify(result));
  const parsed = route.reply.safeParse(value);
  if (!parsed.success) {
    throw new Error(
      `${route.method} ${route.path} sent a reply outside its schema: ${parsed.error.message}`,
    );
  }
};
