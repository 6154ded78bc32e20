import { readConfig, runProcess } from '@lendtools/service-kit';
import { config } from './config.ts';
import { startAccounts } from './start-accounts.ts';

await runProcess(() => startAccounts(readConfig(config, process.env)), process.env.FAULT);
