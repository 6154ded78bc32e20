import { callersOf, endpoints, type Route } from '@lendtools/contracts';

export const apiTable = (routes: readonly Route[]): string => {
  const rows = routes.map(
    (route) =>
      `| \`${route.method} ${route.path}\` | ${route.summary} | ${route.service} | ${callersOf(route)} | ${route.origin} |`,
  );
  return `# The API

Made by \`npm run docs:api\` from [the route table](../packages/contracts/src/routes.ts). A running marketplace serves the
whole document at \`${endpoints.openApi}\` and a page to read it at \`${endpoints.docs}\`.

A "documented" call is one of the specification, which may not change; "ours" were added here.

"self" is the user of the path, "owner" the owner of the thing, "party" the renter or the owner of the booking. In brackets is the
permission that an admin's role needs: \`Support\` has read and moderate, \`Finance\` read and money, \`Admin\` all of them.

Every error has the one shape: \`application/problem+json\` with \`type, title, status, code, detail, requestId\`, plus \`message\` and
\`errors: [{msg, path}]\`.

Tools (for who may edit them) and accounts have a \`revision\`. Send it in \`If-Match\`, as \`"7"\`, with \`update-rental\` or
\`update-account\`, and an edit of an older revision is rejected with 412 \`EDITED_ELSEWHERE\`. Without the header every edit is saved.

| call | what it does | service | who may call | origin |
|---|---|---|---|---|
${rows.join('\n')}
`;
};
