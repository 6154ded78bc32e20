// biome-ignore-all format: a list is read by its rows.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code as text.
import type { Mutant } from './mutant.ts';

const gatewayTest = 'gateway/test/gateway.test.ts';
const matrix = { file: 'e2e/journeys/authorization.journey.ts', name: 'who may do what' };
const fieldLevel = 'e2e/journeys/field-level.journey.ts';
const securityJourney = 'e2e/journeys/security.journey.ts';
const handle = 'packages/service-kit/src/handle.ts';
const clientAddress = 'gateway/src/client-address.ts';
const clientTest = { file: gatewayTest, name: 'tells the services who asks by the socket, whatever the client claims' };

const claimedIdentity = {
  find: '    if (!token) throw unauthenticated();\n    const user',
  replace: `    const claimed = request.get('x-user-id');
    if (!token && claimed) {
      response.locals.user = { userId: claimed, role: request.get('x-user-role'), sessionId: '' };
      return next();
    }
    if (!token) throw unauthenticated();
    const user`,
};

const anyService = {
  file: handle, find: 'if (!secret || !given || !isSame(given, secret)) throw unauthenticated();', replace: 'void [secret, given, isSame];',
};

const brokerUsers = 'packages/event-bus/test/broker-users.test.ts';

/** Who may call what, and who may say what at the broker: lines 1 to 3, 18, 19 and 40. */
export const accessMutants: Mutant[] = [
  {
    rule: 1, breaks: 'forwards what no route names',
    file: 'gateway/src/start-gateway.ts',
    find: "app.use('/api', answerNotFound);",
    replace: "app.use(['/api', '/internal'], (request, response, next) => proxies.accounts(request, response, next));",
    test: { file: gatewayTest, name: 'reaches nothing but its routes' },
  },
  {
    rule: 1, breaks: 'has a route that its service does not answer',
    file: 'services/catalog/src/app.ts', find: '  deleteTool(deps),\n', replace: '',
    test: { file: 'services/catalog/src/app.test.ts', name: 'answers every route that the table gives it' },
  },
  {
    rule: 2, breaks: "lets everybody write what is another's own",
    file: handle, find: "if (who === 'self' && !isSelf) throw forbidden();", replace: '',
    test: matrix,
  },
  {
    rule: 2, breaks: "lets everybody change everybody's tools",
    file: 'services/catalog/src/update-tool/update-tool.ts',
    find: "tool.ownerId === user.userId || user.role === 'Admin';", replace: 'true;',
    test: matrix,
  },
  {
    rule: 2, breaks: "lets everybody read everybody's threads",
    file: handle, find: 'if (!isAdmin && !whose.includes(user.userId)) throw refuse();', replace: 'void [isAdmin, whose, refuse];',
    test: matrix,
  },
  {
    rule: 3, breaks: 'takes the role from the profile form',
    file: 'services/accounts/src/update-account/update-account.ts',
    find: 'const changes = { ...toNames(body),',
    replace: 'const changes = { ...toNames(body), role: request.body.role ?? before.role,',
    test: { file: fieldLevel, name: 'a write with every field of every entity changes only its own' },
  },
  {
    rule: 3, breaks: 'answers that a stranger has changed a tool',
    file: 'services/catalog/src/update-tool/update-tool.ts',
    find: '  if (!isSame) throw forbidden();\n',
    replace: '',
    test: { file: 'services/catalog/src/update-tool/update-tool.test.ts', name: 'is for the owner and admins: others and visitors change nothing' },
  },
  {
    rule: 3, breaks: "shows every owner's street address",
    file: 'services/catalog/migrations/0013_public_json.sql',
    find: 'CASE WHEN is_private THEN o.address END', replace: 'o.address',
    test: { file: fieldLevel, name: 'no reply tells what is private to another' },
  },
  {
    rule: 18, breaks: 'keeps the address that the client claims',
    file: clientAddress,
    find: "request.headers['x-forwarded-for'] = address;", replace: "request.headers['x-forwarded-for'] ??= address;",
    test: clientTest,
  },
  {
    rule: 18, breaks: 'believes a claimed address without a proxy in front',
    file: clientAddress, find: '(hops > 0 && seen.at(-hops))', replace: 'seen.at(-hops)',
    test: clientTest,
  },
  {
    rule: 18, breaks: "passes on a proxy's headers from outside",
    file: clientAddress, find: 'for (const name of proxyHeaders) delete request.headers[name];', replace: '',
    test: clientTest,
  },
  {
    rule: 19, breaks: 'believes X-User-Id at the gateway',
    file: handle, ...claimedIdentity,
    also: [{ file: clientAddress, find: 'for (const name of proxyHeaders) delete request.headers[name];', replace: '' }],
    test: { file: securityJourney, name: 'is nobody to the gateway, whatever headers say' },
  },
  {
    rule: 19, breaks: "believes X-User-Id at a service's own port",
    file: handle, ...claimedIdentity,
    test: { file: securityJourney, name: "is nobody at a service's own port" },
  },
  {
    rule: 19, breaks: "takes anybody for another service in bookings",
    ...anyService,
    test: { file: 'services/bookings/src/list-refunds-owed/list-refunds-owed.test.ts', name: '%s answers nobody but another service' },
  },
  {
    rule: 19, breaks: "takes anybody for another service in payments",
    ...anyService,
    test: { file: 'services/payments/src/request-missed-refunds/request-missed-refunds.test.ts', name: 'tells another service of what has succeeded and does not go back, and nobody else' },
  },
  {
    rule: 40, breaks: 'lets each service publish where it likes',
    file: 'packages/event-bus/src/broker-users.ts', find: 'write: `^(${service}\\\\.|events\\\\.${service}$)`,', replace: "write: '.*',",
    test: { file: brokerUsers, name: 'publish for another by %s' },
  },
  {
    rule: 40, breaks: 'lets each service hear mailed tokens',
    file: 'packages/event-bus/src/broker-users.ts', find: 'read: exactly(heardBy(service).map(routingKey))', replace: "read: heardBy(service).length ? '.*' : exactly([])",
    test: { file: brokerUsers, name: 'reach past its own: %s' },
  },
  {
    rule: 40, breaks: "passes on events in another service's name",
    file: 'packages/event-bus/src/topology.ts', find: '    key: `${service}.*`,\n', replace: "    key: '#',\n",
    test: { file: brokerUsers, name: 'have an event of another die into its own exchange, past the rights for topics' },
  },
];
