import { readFileSync, writeFileSync } from 'node:fs';
import { describeDownload, describePersonalData } from './describe-personal-data.ts';
import { replaceTables, retentionFile } from './retention-file.ts';

const text = readFileSync(retentionFile, 'utf8');
writeFileSync(retentionFile, replaceTables(text, [describePersonalData(), describeDownload()]));
