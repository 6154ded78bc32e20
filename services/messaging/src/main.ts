import { readConfig, runProcess } from '@lendtools/service-kit';
import { config } from './config.ts';
import { startMessaging } from './start-messaging.ts';

await runProcess(() => startMessaging(readConfig(config, process.env)), process.env.FAULT);
