// biome-ignore-all format: a list is read by its rows.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code as text.
import type { Mutant } from './mutant.ts';

const kit = 'packages/service-kit/src';
const catalog = 'services/catalog/src';
const makeAdmin = 'services/accounts/src/make-first-admin/make-first-admin';
const notifications = 'services/notifications/src';
const serveImage = `${catalog}/serve-image/serve-image.test.ts`;
const listTools = `${catalog}/list-tools/list-tools.test.ts`;
const liveHub = `${notifications}/push-live/live-hub`;
const gatewayTest = 'gateway/test/gateway.test.ts';
const limitsTest = 'gateway/test/network-limits.test.ts';
const networkShares = 'gateway/src/network-shares.ts';
const headers = 'gateway/src/security-headers.ts';
const headTags = 'gateway/src/page/head-tags.ts';
const sharedName = { file: 'gateway/test/shared-links.test.ts', name: 'can write nothing into the page but its own words' };
const securityJourney = 'e2e/journeys/security.journey.ts';
const browser = 'e2e/journeys/browser-security.journey.ts';
const fuzz = { file: 'e2e/journeys/contract-fuzz.journey.ts', name: 'answers as its document says, and gives nothing away' };
const policyTest = { file: gatewayTest, name: 'lets a page load itself and Stripe, and nothing else' };
const sendHeaders = { file: gatewayTest, name: 'sends its security headers with %s' };
const smuggling = { file: `${notifications}/send-emails/send-emails.test.ts`, name: 'lets no name or tool smuggle in a header, a recipient or markup' };
const refusedPicture = { file: serveImage, name: 'that is %s is refused by name, and nothing is listed' };

/** What comes in, what goes out, and what is written down: lines 20 to 28, 30 to 34, 36 and 41. */
export const contentMutants: Mutant[] = [
  {
    rule: 20, breaks: 'keeps what a camera wrote into a picture',
    file: `${kit}/images.ts`, find: '    .autoOrient()\n', replace: '    .autoOrient()\n    .keepMetadata()\n',
    test: { file: serveImage, name: 'loses the place where it was taken, and whatever hides behind its pixels' },
  },
  {
    rule: 20, breaks: 'takes two pictures in one field',
    file: `${kit}/uploads.ts`, find: 'maxCount: 1', replace: 'maxCount: 2',
    test: { file: serveImage, name: 'in a sixth field, or twice in one, is refused' },
  },
  {
    rule: 20, breaks: 'takes a picture in any field',
    file: `${kit}/uploads.ts`, find: '.fields(images.map((name) => ({ name, maxCount: 1 })))', replace: ".fields([...images, 'image5'].map((name) => ({ name, maxCount: 1 })))",
    also: [{ file: `${kit}/uploads.ts`, find: '      files: images.length,\n', replace: '' }],
    test: { file: serveImage, name: 'in a sixth field, or twice in one, is refused' },
  },
  {
    rule: 20, breaks: 'takes pictures of 100 MB',
    file: `${kit}/uploads.ts`, find: 'maxImageBytes = 10 *', replace: 'maxImageBytes = 100 *',
    test: { file: serveImage, name: 'of more than 10 MB is refused' },
  },
  {
    rule: 20, breaks: 'takes a bomb of pixels',
    file: `${kit}/images.ts`, find: 'limitInputPixels = 25e6', replace: 'limitInputPixels = 1e9',
    test: refusedPicture,
  },
  {
    rule: 20, breaks: 'takes an SVG',
    file: `${kit}/images.ts`, find: "'gif', 'heif'", replace: "'gif', 'heif', 'svg'",
    test: refusedPicture,
  },
  {
    rule: 20, breaks: 'lets a network of IPv6 have pictures read for each of its addresses',
    file: `${kit}/uploads.ts`, find: "networkOf(request.ip ?? '')", replace: "request.ip ?? ''",
    test: { file: 'packages/service-kit/test/handle.test.ts', name: 'of one network count together, whatever its hosts call themselves' },
  },
  {
    rule: 20, breaks: 'lets whoever sends byte by byte keep the places for pictures',
    file: `${kit}/uploads.ts`, find: 'if (!slowest) {', replace: 'if (slowest || true) {',
    test: { file: 'packages/service-kit/test/handle.test.ts', name: 'that come byte by byte make room for those that come as anybody’s do, from however many networks' },
  },
  {
    rule: 21, breaks: 'lets the browser guess what a picture is',
    file: `${kit}/http-app.ts`, find: "  response.setHeader('X-Content-Type-Options', 'nosniff');\n", replace: '',
    test: { file: serveImage, name: 'serves three widths of a picture, for ever, with a fixed type' },
  },
  {
    rule: 21, breaks: 'serves a picture as a page',
    file: `${kit}/images.ts`, find: "response.type('image/webp');", replace: "response.type('text/html');",
    test: { file: serveImage, name: 'serves three widths of a picture, for ever, with a fixed type' },
  },
  {
    rule: 22, breaks: 'hands on a query as it came',
    file: `${kit}/handle.ts`, find: 'query: route.query ? route.query.parse(request.query) : {},', replace: 'query: request.query,',
    test: { file: 'services/messaging/src/list-replies/list-replies.test.ts', name: 'with ?%s, answers no more than the schema lets it' },
  },
  {
    rule: 22, breaks: 'hands on what a path holds as it came',
    file: `${kit}/handle.ts`, find: 'params: route.params ? route.params.parse(request.params) : {},', replace: 'params: request.params,',
    test: fuzz,
  },
  {
    rule: 23, breaks: 'takes % of a search for users as a pattern',
    file: 'packages/service-kit/src/database.ts', find: "${typed.trim().replace(/[\\\\%_]/g, '\\\\$&')}", replace: '${typed.trim()}',
    test: { file: 'services/accounts/src/manage-users/manage-users.test.ts', name: 'takes a search literally' },
  },
  {
    rule: 23, breaks: 'writes the words of a search for users into the SQL',
    file: 'services/accounts/src/user-repository.ts', find: '($1::text IS NULL OR email ILIKE $1 OR', replace: "($1::text IS NULL OR email ILIKE '${pattern}' OR",
    test: { file: 'services/accounts/src/manage-users/manage-users.test.ts', name: 'takes a search literally' },
  },
  {
    rule: 23, breaks: 'takes the signs of a search for tools for words',
    file: `${catalog}/domain/search-words.ts`, find: '.split(/[^\\p{L}\\p{N}]+/u)', replace: ".split(' ')",
    test: { file: listTools, name: 'finds nothing for a stranger of a word, and takes signs of patterns as they are' },
  },
  {
    rule: 23, breaks: 'writes the words of a search for tools into the SQL',
    file: `${catalog}/tool-search.ts`, find: '${value(tsqueryOf(terms, formsOf, reach))}::tsquery', replace: "'${tsqueryOf(terms, formsOf, reach)}'::tsquery",
    test: { file: listTools, name: 'finds nothing for a stranger of a word, and takes signs of patterns as they are' },
  },
  {
    rule: 24, breaks: 'makes a page as long as is asked',
    file: 'packages/contracts/src/api/common.ts', find: 'wholeNumber(1, maxPageSize,', replace: 'wholeNumber(1, 1e12,',
    test: { file: listTools, name: 'refuses limit=1000000000' },
  },
  {
    rule: 24, breaks: 'goes on to the pattern when text is too long',
    file: 'packages/contracts/src/api/common.ts', find: '{ error, abort: true }', replace: '{ error }',
    test: { file: 'packages/contracts/src/input.test.ts', name: 'is bounded in length before a pattern meets it' },
  },
  {
    rule: 24, breaks: 'looks for a number in text of any length',
    file: 'packages/contracts/src/api/common.ts', find: ' && value.length <= longestNumber', replace: '',
    test: { file: 'packages/contracts/src/api/common.test.ts', name: 'is not looked for in text that is too long for one' },
  },
  {
    rule: 24, breaks: 'reads 100 kB of JSON from anybody',
    file: `${kit}/handle.ts`, find: 'const maxBodyKb = 32', replace: 'const maxBodyKb = 100',
    test: { file: 'packages/service-kit/test/handle.test.ts', name: 'reads no more JSON than %s' },
  },
  {
    rule: 24, breaks: 'searches as far as is asked',
    file: 'packages/contracts/src/api/catalog.ts', find: '.max(50, radiusError)', replace: '',
    test: { file: listTools, name: 'refuses radius=1000' },
  },
  {
    rule: 25, breaks: 'fetches the address in an image field',
    file: 'services/accounts/src/update-account/update-account.ts',
    find: '    const before = await findUser(deps.pool, params.userId);',
    replace: '    if (request.body.image) await fetch(request.body.image);\n    const before = await findUser(deps.pool, params.userId);',
    test: { file: securityJourney, name: 'is never fetched' },
  },
  {
    rule: 26, breaks: "writes the name of a user into the page as HTML",
    file: 'web/src/ui/page-header.tsx', find: '          {title}\n', replace: '          <span dangerouslySetInnerHTML={{ __html: title }} />\n',
    test: { file: browser, name: 'is text to an admin' },
  },
  {
    rule: 26, breaks: "writes people's words into a mail as HTML",
    file: `${notifications}/email/layout.ts`, find: 'text.replace(/[&<>"\']/g, (found) => escapes[found] ?? \'\');', replace: 'text;',
    test: { file: browser, name: 'is text in a mail' },
  },
  {
    rule: 26, breaks: "writes a tool's name into the page's head as HTML",
    file: headTags, find: 'meta(\'property\', \'og:title\', name)', replace: '`<meta property="og:title" content="${name}">`',
    test: sharedName,
  },
  {
    rule: 26, breaks: "lets a tool's name end the page's data",
    file: headTags, find: ".replaceAll('<', '\\\\u003c')", replace: '',
    test: sharedName,
  },
  {
    rule: 27, breaks: 'lets a page run scripts from anywhere',
    file: headers, find: "scriptSrc: [\"'self'\",", replace: "scriptSrc: [\"'self'\", 'https:',",
    test: policyTest,
  },
  {
    rule: 27, breaks: 'lets a page run scripts that stand in it',
    file: headers, find: "scriptSrc: [\"'self'\",", replace: "scriptSrc: [\"'self'\", \"'unsafe-inline'\",",
    test: { file: browser, name: 'runs no script that was slipped into the page' },
  },
  {
    rule: 27, breaks: 'lets every site show ours in a frame',
    file: headers, find: "frameAncestors: [\"'none'\"]", replace: "frameAncestors: ['*']",
    test: { file: browser, name: 'can not show ours in a frame' },
  },
  {
    rule: 27, breaks: 'loads no card form',
    file: headers, find: "scriptSrc: [\"'self'\", 'https://js.stripe.com', ...sandbox]", replace: "scriptSrc: [\"'self'\"]",
    test: { file: 'e2e/journeys/main-journey.journey.ts', name: 'list, find, book, pay, talk, return and review' },
  },
  {
    rule: 28, breaks: 'leaves the site open to http',
    file: headers, find: "site.protocol === 'https:' ? { maxAge: 31_536_000 } : false", replace: 'false',
    test: sendHeaders,
  },
  {
    rule: 28, breaks: 'lets every site read answers',
    file: headers, find: 'new URL(config.PUBLIC_URL).origin]', replace: "'*']",
    test: sendHeaders,
  },
  {
    rule: 28, breaks: 'sends the headers with the site alone',
    file: 'gateway/src/start-gateway.ts', find: 'app.use(metrics.observe, securityHeaders(config));', replace: "app.use(metrics.observe);\n  app.use('/assets', securityHeaders(config));",
    test: sendHeaders,
  },
  {
    rule: 30, breaks: 'lets in whoever has no token',
    file: `${liveHub}.ts`, find: "String(socket.handshake.auth.token ?? ''),\n        );",
    replace: "String(socket.handshake.auth.token ?? '')).catch(() => ({ userId: 'nobody', role: 'User' as const, sessionId: 'none', userVersion: 1, expiresAtMs: Date.now() + 60_000, token: '' }));",
    test: { file: `${liveHub}.test.ts`, name: 'nobody without a valid token' },
  },
  {
    rule: 30, breaks: 'lets visitors take all the sockets',
    file: `${liveHub}.ts`, find: 'countIn(visitorsOf(networkOfVisitor(handshake))) < maxVisitorsOfNetwork', replace: 'Boolean(maxVisitorsOfNetwork)',
    test: { file: `${liveHub}.test.ts`, name: 'no more visitors from one network than an office has' },
  },
  {
    rule: 30, breaks: 'lets in pages of other sites',
    file: `${liveHub}.ts`, find: 'done(null, request.headers.origin === origin)', replace: 'done(null, Boolean(request.headers.origin ?? origin))',
    test: { file: `${liveHub}.test.ts`, name: 'no other site' },
  },
  {
    rule: 30, breaks: 'keeps a socket beyond its token',
    file: `${liveHub}.ts`, find: '      dropAtExpiry(socket, data.identity);\n', replace: '',
    test: { file: `${liveHub}.test.ts`, name: 'is dropped when its token expires' },
  },
  {
    rule: 30, breaks: 'lets a socket join any room',
    file: `${liveHub}.ts`, find: '      dropAtExpiry(socket, data.identity);\n', replace: "      dropAtExpiry(socket, data.identity);\n    socket.on('join', (room: string) => void socket.join(room));\n",
    test: { file: `${liveHub}.test.ts`, name: 'hears what concerns its user, and nobody else does' },
  },
  {
    rule: 30, breaks: 'reads frames of any size',
    file: `${liveHub}.ts`, find: 'maxHttpBufferSize: 8_192', replace: 'maxHttpBufferSize: 1e8',
    test: { file: `${liveHub}.test.ts`, name: 'is dropped for a frame of 1 MB, and the hub goes on' },
  },
  {
    rule: 31, breaks: 'takes anything as an e-mail address',
    file: 'packages/contracts/src/api/common.ts', find: "  .check(z.email('Please enter a valid email'))\n", replace: '',
    test: { file: 'services/accounts/src/create-account/create-account.test.ts', name: 'refuses %j as an email' },
  },
  {
    rule: 31, breaks: "writes a recipient's name and address as one text",
    file: `${notifications}/send-emails/mail-transport.ts`, find: 'to: { name, address: to.address }', replace: 'to: `${to.name} <${to.address}>`',
    test: smuggling,
  },
  {
    rule: 31, breaks: 'lets markup into a mail',
    file: `${notifications}/email/layout.ts`, find: 'text.replace(/[&<>"\']/g, (found) => escapes[found] ?? \'\');', replace: 'text;',
    test: smuggling,
  },
  {
    rule: 31, breaks: 'hands over any address',
    file: `${notifications}/send-emails/mail-transport.ts`, find: "if (!address.test(to.address)) throw new UndeliverableError('The address is malformed');", replace: 'void address;',
    test: { file: smuggling.file, name: 'never hands over the address "a(comment)@b.c"' },
  },
  {
    rule: 32, breaks: 'logs the query of what was refused',
    file: `${kit}/problem.ts`, find: 'method: request.method, path }, \'refused\'', replace: 'method: request.method, path: request.url }, \'refused\'',
    test: { file: securityJourney, name: 'keep no password, no token and no secret' },
  },
  {
    rule: 32, breaks: 'logs what was sent, uncut',
    file: `${kit}/problem.ts`, find: 'method: request.method, path }, \'refused\'', replace: 'method: request.method, path, body: request.body }, \'refused\'',
    also: [{ file: `${kit}/logging.ts`, find: "'*.password', ", replace: '' }],
    test: { file: securityJourney, name: 'keep no password, no token and no secret' },
  },
  {
    rule: 32, breaks: 'answers with the words of a fault',
    file: `${kit}/problem.ts`, find: "'INTERNAL_ERROR', 'Something went wrong on our side. Please try again.'", replace: "'INTERNAL_ERROR', (error as Error).message",
    test: { file: 'packages/service-kit/test/handle.test.ts', name: 'says nothing of a fault (%s)' },
  },
  {
    rule: 33, breaks: 'logs no refusal',
    file: `${kit}/problem.ts`, find: 'if (problem.status === 401 || problem.status === 403 || problem.status === 429) {', replace: 'if (problem.status === 429) {',
    test: { file: securityJourney, name: 'of accounts have one line for a LOGIN_FAILED' },
  },
  {
    rule: 33, breaks: 'logs no login',
    file: 'services/accounts/src/log-in/log-in.ts', find: "    logger.info({ userId: grant.user.id, sessionId: grant.sessionId }, 'logged in');\n", replace: '    void logger;\n',
    test: { file: securityJourney, name: 'say who logged in' },
  },
  {
    rule: 34, breaks: 'makes an admin of whoever took that email',
    file: 'services/accounts/src/start-accounts.ts', find: 'promote: false', replace: 'promote: true',
    test: { file: `${makeAdmin}.test.ts`, name: 'make no admin of somebody who signed up with that email first' },
  },
  {
    rule: 34, breaks: 'leaves the links of whoever had the email of a new admin first',
    file: `${makeAdmin}.ts`, find: 'await dropMailedTokens(tx, promoted.id);', replace: 'void dropMailedTokens;',
    test: { file: `${makeAdmin}.test.ts`, name: 'makes an admin whose email no link mailed before can change' },
  },
  {
    rule: 34, breaks: 'opens every database to every service',
    file: 'infra/local/databases.ts', find: '  await admin.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${identifier} FROM PUBLIC`);\n', replace: '',
    test: { file: securityJourney, name: '%s can not enter the database of %s' },
  },
  {
    rule: 34, breaks: 'starts with a secret that everybody knows',
    file: 'services/payments/src/config.ts', find: 'STRIPE_WEBHOOK_SECRET: z.string().min(1)', replace: "STRIPE_WEBHOOK_SECRET: z.string().min(1).default('whsec_test')",
    test: { file: securityJourney, name: '%s does not start, and names them' },
  },
  {
    rule: 34, breaks: 'takes live keys for the sandbox',
    file: 'services/payments/src/config.ts', find: '/^(?:sk|rk|pk)_test_/', replace: '/^(?:sk|rk|pk)_/',
    test: { file: 'services/payments/src/config.test.ts', name: 'refuse the sandbox with %s' },
  },
  {
    rule: 36, breaks: 'refuses with a status that no document names',
    file: `${kit}/problem.ts`, find: '.status(error.status)', replace: '.status(error.status === 400 ? 418 : error.status)',
    test: fuzz,
  },
  {
    rule: 41, breaks: 'takes a connection to a service for a body that is still on its way',
    file: 'gateway/src/arriving-bodies.ts', find: '      if (isSmall(request)) whenComplete(request, next);\n      else next();', replace: '      next();',
    test: { file: limitsTest, name: 'keep nobody from a service: it hears of a small one when all of it is here' },
  },
  {
    rule: 41, breaks: 'lets a network send as many bodies at once as it likes',
    file: networkShares, find: 'held >= this.#share', replace: 'this.#share < 0',
    test: { file: limitsTest, name: 'of one network are few, and a body that comes in one piece is none of them' },
  },
  {
    rule: 41, breaks: 'waits for a body however slowly it comes',
    file: 'gateway/src/arriving-bodies.ts', find: 'refuseSlow(arrival);', replace: 'void refuseSlow;',
    test: { file: limitsTest, name: 'end with 408, those that come on do not' },
  },
  {
    rule: 41, breaks: 'takes every connection of a network',
    file: 'gateway/src/start-gateway.ts', find: '    else socket.destroy();\n', replace: '',
    test: { file: limitsTest, name: 'has its share of the connections, and gets one back for each that ends' },
  },
  {
    rule: 41, breaks: 'never gives a live socket back',
    file: 'gateway/src/start-gateway.ts', find: "    socket.once('close', giveBack);\n    vouchForClient", replace: '    vouchForClient',
    test: { file: limitsTest, name: 'has its share of live sockets, and gets one back for each that ends' },
  },
];
