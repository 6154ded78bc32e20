import { writeFile } from 'node:fs/promises';
import { apiTable } from './api-table.ts';
import { routes } from './routes.ts';

await writeFile(new URL('../../docs/api.md', import.meta.url), apiTable(routes));
