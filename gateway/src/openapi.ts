import { maxPageSize, problem, type Route } from '@lendtools/contracts';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi';

const file = z.string().meta({ format: 'binary', description: 'A picture of at most 10 MB' });

/** Refusals that any route may give, by status; the sentence is the document's. */
const refusals: Record<number, string> = {
  400: 'Bad input; `errors` names each field',
  401: 'No valid token',
  403: 'Not allowed',
  404: 'There is no such thing',
  409: 'It clashes with what is',
  413: 'Too large',
  422: 'The Idempotency-Key was used for another request',
  429: 'Too many attempts',
  500: 'A fault of ours',
  503: 'Not available right now',
  504: 'No answer in time',
};

const statusesOf = (route: Route): number[] => {
  const statuses = [400, 500, 503, 504];
  if (route.who !== 'anyone') statuses.push(401, 403);
  if (route.params) statuses.push(404);
  if (route.body || route.raw) statuses.push(413);
  if (route.idempotent) statuses.push(422);
  for (const code of route.errors ?? []) statuses.push(statusOfCode(code));
  return [...new Set(statuses)].sort((a, b) => a - b);
};

/** By the codes' own endings; the few that are otherwise are named. */
const statusOfCode = (code: string): number => {
  const named: Record<string, number> = {
    LOGIN_FAILED: 401,
    SESSION_ENDED: 401,
    CROSS_SITE: 403,
    PASSWORD_WRONG: 403,
    TOO_MANY_REQUESTS: 429,
    PAYMENT_REQUIRED: 402,
    PAYMENT_NOT_SUCCEEDED: 402,
    PROVIDER_UNAVAILABLE: 503,
  };
  if (named[code]) return named[code];
  if (code.endsWith('_NOT_FOUND')) return 404;
  if (/_INVALID$|_REFUSED$|_UNKNOWN$|_COMMON$|_MISMATCH$/.test(code)) return 400;
  return 409;
};

const requestBody = (route: Route): ZodOpenApiOperationObject['requestBody'] => {
  if (route.raw) return { content: { 'application/json': { schema: z.unknown() } } };
  if (!route.body) return undefined;
  const json = { 'application/json': { schema: route.body } };
  if (!route.images) return { content: json };
  const withImages = route.body.extend(
    Object.fromEntries(route.images.map((name) => [name, file.optional()])),
  );
  return { content: { ...json, 'multipart/form-data': { schema: withImages } } };
};

const operation = (name: string, route: Route): ZodOpenApiOperationObject => {
  const problems = Object.fromEntries(
    statusesOf(route).map((status) => [
      status,
      {
        description: refusals[status] ?? 'Refused',
        content: { 'application/problem+json': { schema: problem } },
      },
    ]),
  );
  const isImage = route.path.startsWith('/api/images/');
  const description = [
    `May be called by: ${route.who}.`,
    route.errors ? `Codes: ${route.errors.join(', ')}.` : '',
    route.query?.shape.limit ? `Pages hold at most ${maxPageSize}.` : '',
  ];
  return {
    operationId: name,
    tags: [route.service],
    summary: route.summary,
    description: description.filter(Boolean).join(' '),
    security: route.who === 'anyone' ? [] : [{ bearer: [] }],
    requestParams: {
      ...(route.params && { path: route.params }),
      ...(route.query && { query: route.query }),
    },
    ...(requestBody(route) && { requestBody: requestBody(route) }),
    responses: {
      [route.status]: {
        description: 'Done',
        content: isImage
          ? { 'image/webp': { schema: file } }
          : { 'application/json': { schema: route.reply } },
      },
      ...problems,
    },
  } as ZodOpenApiOperationObject;
};

/** The OpenAPI 3.1 document of the routes, from the schemas that validate. */
export const createOpenApi = (routes: Record<string, Route>, site: string) => {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, route] of Object.entries(routes)) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'LendTools',
      version: '1',
      description: 'Rent and lend tools in your neighbourhood.',
    },
    servers: [{ url: site }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  });
};
