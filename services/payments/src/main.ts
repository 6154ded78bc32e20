import { readConfig, runProcess } from '@lendtools/service-kit';
import { configSchema } from './config.ts';
import { startPayments } from './start.ts';

await runProcess(() => startPayments(readConfig(configSchema, process.env)), process.env.FAULT);
